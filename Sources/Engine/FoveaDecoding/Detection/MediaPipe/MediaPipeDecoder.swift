// SPDX-License-Identifier: Apache-2.0

import FoveaCore
import FoveaGeometry
import FoveaRuntime

/// MediaPipe's face, palm and body detectors: [1, A, 16, 18 or 12] raw boxes with keypoints, and [1, A, 1]
/// logits.
///
/// A row is (centre x, centre y, width, height, x and y of each keypoint) in pixels of the input; positions
/// are relative to the anchor's centre. Keypoints of a face: right eye, left eye, tip of the nose, middle of
/// the mouth, right and left ear; of a palm: wrist, the first joints of index, middle, ring and little
/// finger, then two of the thumb; of a body: the middle of the hips and the edge of the body, then of the
/// shoulders and the upper body.
///
/// **Source:** MediaPipe 0.10.14 (Apache-2.0), `tensors_to_detections_calculator.cc` with the options of the
/// graphs: reverse_output_order, sigmoid_score, score_clipping_thresh 100, min_score_thresh 0.5;
/// `non_max_suppression_calculator.cc` with WEIGHTED and min_suppression_threshold 0.3.
struct MediaPipeDecoder: DetectionDecoder {
  var family: DetectorFamily { layout.family }
  let detail: DetectionDetail? = .keypoints
  var keypointSet: KeypointSet? {
    KeypointSet.known(count: layout.keypointCount, className: classNames?.first)
  }
  let classCount: Int? = 1
  let maximumDetections = 100
  private let modelName: String
  private let layout: MediaPipeLayout
  private let boxes: Int
  private let centers: [(x: Float, y: Float)]
  private let suppression: SuppressionOptions

  /// Recognises a model of `family` by its input and its two outputs, in either order.
  init?(recognizing model: DetectorRecognizer, as family: DetectorFamily) {
    let outputs = model.signature.outputs
    guard outputs.count == 2, let input = model.signature.inputs.first?.shape, input.count == 4,
      let boxes = outputs.firstIndex(where: { $0.shape.count == 3 && $0.shape[2] > 1 }),
      outputs.allSatisfy({ [.float32, .float16, .uint8, .int8].contains($0.elementType) })
    else { return nil }
    let shape = outputs[boxes].shape
    let scores = outputs[1 - boxes].shape
    guard
      let layout = MediaPipeLayout.known.first(where: { known in
        known.family == family && shape == [1, known.count, known.values]
          && (scores == [1, known.count, 1] || scores == [1, known.count])
          && (input == [1, known.side, known.side, 3] || input == [1, 3, known.side, known.side])
      })
    else { return nil }
    modelName = model.modelName
    self.layout = layout
    self.boxes = boxes
    centers = layout.centers
    suppression = model.suppression
  }

  func decode(_ outputs: [[Float]], threshold: Float, limit: Int) throws(DetectionError) -> [Detection] {
    guard outputs.count == 2, outputs[boxes].count == centers.count * layout.values,
      outputs[1 - boxes].count == centers.count
    else {
      throw invalid(
        "\(outputs.map(\.count)) numbers; \(centers.count) rows of \(layout.values) and of 1 are expected")
    }
    let (rows, logits) = (outputs[boxes], outputs[1 - boxes])
    var candidates = WeightedSuppression(keypointCount: layout.keypointCount)
    var scores = ReadScores()
    for index in centers.indices {
      scores.add(logits[index], of: index)
      let score = sigmoid(min(max(logits[index], -100), 100))
      guard score >= threshold else { continue }
      let start = index * layout.values
      let center = centers[index]
      func place(_ number: Int, _ origin: Float) -> Double {
        Double(rows[start + number] / Float(layout.side) + origin)
      }
      let (x, y) = (place(0, center.x), place(1, center.y))
      let (width, height) = (place(2, 0), place(3, 0))
      let points = (0..<layout.keypointCount).map { point in
        NormalizedPoint(x: place(4 + 2 * point, center.x), y: place(5 + 2 * point, center.y))
      }
      if let wrong = points.first(where: { !$0.isPlausible }) {
        throw invalid(wrong.problem("a point of row \(index)"))
      }
      candidates.append(
        BoundingBox(x: x - width / 2, y: y - height / 2, width: width, height: height), score: score,
        keypoints: points)
    }
    guard scores.haveNumbers else { throw invalid("no number at all (NaN) as scores") }
    if let row = scores.wrongRow { throw invalid("a score of row \(row) that is not a number") }
    return candidates.detections(iouThreshold: suppression.iouThreshold ?? family.iou ?? 1, limit: limit)
  }

  private func invalid(_ what: String) -> DetectionError {
    DetectionError(
      .invalidOutput, "'\(modelName)' of the family '\(family)' returned \(what)",
      remedy: "Check the normalisation, or the model with the tool that exported it")
  }
}
