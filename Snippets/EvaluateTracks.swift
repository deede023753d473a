// SPDX-License-Identifier: Apache-2.0
//
// Evaluates tracks: HOTA, the CLEAR metrics and the identity metrics.
//
//     swift run EvaluateTracks

import FoveaEvaluation
import FoveaFormats
import FoveaGeometry

// MOT Challenge files; here from memory. Irregularities are handled and reported as warnings.
let detections = try MOTReader(MOTReader.Content.detections)
  .read(text: Array("1,-1,10,20,30,60,0.9\n1,-1,90,20,-5,60,0.8\n".utf8), name: "det.txt")
let warnings: [TrackFileWarning] = detections.warnings
for warning in warnings { print(warning) }
let info = try MOTSequenceInfo(
  text: Array("[Sequence]\nname=walk\nseqLength=20\nframeRate=25\n".utf8), name: "seqinfo.ini")

/// Returns a person who walks to the right; the tracker assigns a new identity in the middle.
func walk(_ identity: (Int) -> Int) -> TrackFrames {
  TrackFrames(
    (0..<20).map { frame in
      let box = BoundingBox(x: 10 + 4 * Double(frame), y: 20, width: 30, height: 60)
      return [TrackAnnotation(identity: identity(frame), box: box)]
    })
}
let truth = walk { _ in 1 }
let results = walk { $0 < 10 ? 7 : 8 }

let benchmark = TrackingBenchmark.plain
let metrics: TrackingMetrics = try TrackingEvaluator(benchmark: benchmark)
  .evaluate(results, groundTruth: truth, lastFrame: info.frameCount)
let hota: HOTAMetrics = metrics.hota
let clear: CLEARMetrics = metrics.clear
let identity: IdentityMetrics = metrics.identity
print("HOTA \(hota.hota), IDF1 \(identity.f1), MOTA \(clear.accuracy)")

// Several sequences together: sums, not means.
let combined = TrackingMetrics(combining: [metrics, metrics])
print("\(combined.boxes) boxes in two sequences by the rules of \(benchmark.name)")

// The same tracks as text, for other tools.
print(MOTWriter.results(results).prefix { $0 != "\n" })
let kitti = KITTIWriter.groundTruth(
  TrackFrames(
    [
      [
        TrackAnnotation(
          identity: 0, box: BoundingBox(x: 1, y: 2, width: 3, height: 4), classID: KITTIClass.car.rawValue)
      ]
    ], firstFrame: 0))
print(try KITTIReader().read(text: Array(kitti.utf8), name: "0000.txt").count)
