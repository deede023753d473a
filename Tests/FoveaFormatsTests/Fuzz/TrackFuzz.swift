// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import FoveaEvaluation
import FoveaFormats
import FoveaTesting

/// Damaged MOT and KITTI files: finite figures or an error.
struct TrackFuzz {
  enum Kind: String, Codable, CaseIterable, Sendable {
    case motDetections, motGroundTruth, motResults, kittiLabels, sequenceInfo
  }

  private static let detections =
    "1,-1,10,20.5,30,40,0.9,-1,-1,-1\r\n2,-1,-5,2e1,30,40,0.25\n\n4 -1 1 2 3 4 0.5\n"
  private static let truth =
    "1,1,10,20,30,40,1,1,1\n1,2,60,20,30,40,0,8,0.5\n2,1,12,20,30,40,1,1,0.75\n4,2,61,20,30,40,1,1,1\n"
  private static let results =
    "1,5,11,20,30,40,0.9,-1,-1,-1\n1,6,60,21,30,40,0.8,-1,-1,-1\n2,5,12,20,30,40,0.7,-1,-1,-1\n4,7,61,20,30,40,1\n"
  private static let labels = """
    0 0 Car 0 0 -1.79 296.5 161.75 455 292.25 2 1.8 4.4 -4.5 1.8 13.4 -2.1
    0 -1 DontCare -1 -1 -10 219.31 188.49 245.5 218.56 -1000 -1000 -1000 -10 -1 -1 -1
    1 0 Car 1 2 -1.79 300 161.75 460 292.25 2 1.8 4.4 -4.5 1.8 13.4 -2.1 0.75

    """
  private static let info = "[Sequence]\nname=MOT17-02\nimDir=img1\nframeRate=30\nseqLength=4\nimWidth=1920\n"

  /// Runs a batch in this process and prints the outcomes.
  static func run(_ kind: Kind, _ batch: FuzzBatch) async {
    await batch.run(kind.rawValue) { seed in
      var mutator = TextMutator(seed: seed)
      let bytes = mutator.mutated(Array(sound(kind).utf8))
      if let keep = FuzzBatch.keep {
        try Data(bytes).write(to: URL(fileURLWithPath: "\(keep)/\(kind)-\(seed)"))
      }
      let metrics: TrackingMetrics
      do throws(EvaluationError) {
        metrics = try evaluate(kind, bytes)
      } catch {
        guard !error.message.isEmpty, !error.remedy.description.isEmpty else {
          throw FuzzFailure("an error without reason or remedy: \(error)")
        }
        return error.code.description
      }
      guard metrics.fractions.allSatisfy({ $0.value.isFinite }), metrics.counts.allSatisfy({ $0.value >= 0 })
      else { throw FuzzFailure("figures that cannot be: \(metrics.fractions) \(metrics.counts)") }
      return "ok"
    }
  }

  private static func sound(_ kind: Kind) -> String {
    switch kind {
    case .motDetections: detections
    case .motGroundTruth: truth
    case .motResults: results
    case .kittiLabels: labels
    case .sequenceInfo: info
    }
  }

  private static func evaluate(_ kind: Kind, _ bytes: [UInt8]) throws(EvaluationError) -> TrackingMetrics {
    func read(_ content: MOTReader.Content, _ own: Kind, _ text: String) throws(EvaluationError)
      -> TrackFrames
    {
      try MOTReader(content).read(text: own == kind ? bytes : Array(text.utf8), name: "'f.txt'")
    }
    if kind == .motDetections { _ = try read(.detections, .motDetections, detections) }
    if kind == .kittiLabels {
      let damaged = try KITTIReader().read(text: bytes, name: "'f.txt'")
      let sound = try KITTIReader().read(text: Array(labels.utf8), name: "'g.txt'")
      return try TrackingEvaluator(benchmark: .kitti(.car)).evaluate(damaged, groundTruth: sound)
    }
    let length = kind == .sequenceInfo ? try MOTSequenceInfo(text: bytes, name: "'i.ini'").frameCount : nil
    return try TrackingEvaluator(benchmark: .mot17).evaluate(
      read(.results, .motResults, results), groundTruth: read(.groundTruth, .motGroundTruth, truth),
      lastFrame: length)
  }
}
