// SPDX-License-Identifier: Apache-2.0

extension CheckedGraph {
  /// The maximum number of detections that a post-processed detector may have; real ones have 10 to 100.
  private static let maximumDetections = 100_000

  /// Verifies the final operators of detectors of the TensorFlow Object Detection API.
  ///
  /// **Source:** TensorFlow Lite, `lite/kernels/detection_postprocess.cc`: it reads one anchor per box and
  /// the scores of `num_classes` classes without checking how many there are, and its outputs have
  /// `max_detections` · `max_classes_per_detection` boxes.
  func checkPostProcessing() throws(MetadataError) {
    for (position, node) in nodes.enumerated() where node.kind.isPostProcess {
      guard let options = node.options, node.inputs.count == 3 else { continue }
      let what = "operator \(position), TFLite_Detection_PostProcess,"
      for (name, usual) in [
        ("max_detections", nil), ("max_classes_per_detection", nil), ("num_classes", nil),
        ("detections_per_class", 100),
      ] as [(String, Int?)] {
        let value = options.int(name) ?? usual ?? 0
        guard options.numbers[name] == nil && usual != nil || (1...Self.maximumDetections).contains(value)
        else {
          throw .damaged("\(what) has \(name) \(value), expected 1…\(Self.maximumDetections)")
        }
      }
      let detections = options.int("max_detections") ?? 0
      let perDetection = options.int("max_classes_per_detection") ?? 0
      guard detections * perDetection <= Self.maximumDetections else {
        throw .damaged("\(what) would output \(detections) · \(perDetection) boxes")
      }
      let (boxes, scores, anchors) = (
        tensors[node.inputs[0]].shape, tensors[node.inputs[1]].shape, tensors[node.inputs[2]].shape
      )
      guard boxes.count == 3, scores.count == 3, anchors.count == 2, boxes[1] == scores[1],
        boxes[1] == anchors[0], boxes[2] >= 4, anchors[1] == 4
      else {
        throw .damaged(
          "\(what) has boxes \(boxes), scores \(scores) and anchors \(anchors), expected [1, A, 4], "
            + "[1, A, C] and [A, 4]"
        )
      }
      let classes = options.int("num_classes") ?? 0
      guard scores[2] == classes || scores[2] == classes + 1 else {
        throw .damaged("\(what) has \(classes) classes, but the scores are of \(scores[2])")
      }
    }
  }
}
