// SPDX-License-Identifier: Apache-2.0

import FoveaMetadata
import FoveaRuntime

/// Which output of a post-processed SSD is which.
struct SSDOutputRoles: Hashable {
  var boxes: Int
  var classes: Int
  var scores: Int
  var count: Int

  /// Finds the roles by AutoML's manifest, then by the names in the metadata, then by the names that converters give,
  /// then by order and shape.
  /// - Returns: nil where the outputs are not those of a post-processed SSD.
  init?(signature: ModelSignature, metadata: ModelMetadata?, autoML: AutoMLDetection? = nil) {
    let outputs = signature.outputs
    guard outputs.count == 4, outputs.allSatisfy({ $0.elementType == .float32 }) else { return nil }
    let found =
      Self.byManifest(autoML, outputs) ?? Self.byMetadata(metadata) ?? Self.byOperatorNames(outputs)
      ?? Self.byCallNames(outputs)
      ?? Self.byOrder(outputs)
    guard let found, found.fits(outputs) else { return nil }
    self = found
  }

  init(boxes: Int, classes: Int, scores: Int, count: Int) {
    self.boxes = boxes
    self.classes = classes
    self.scores = scores
    self.count = count
  }

  /// Whether the shapes are [1, N, 4], [1, N], [1, N] and one value, all of the same N.
  private func fits(_ outputs: [TensorDescription]) -> Bool {
    let box = outputs[boxes].shape
    guard box.count == 3, box[0] == 1, box[1] > 0, box[2] == 4 else { return false }
    return outputs[classes].elementCount == box[1] && outputs[scores].elementCount == box[1]
      && outputs[count].elementCount == 1
  }

  /// The names of the tensors in `tflite_metadata.json`, which describes each.
  private static func byManifest(_ manifest: AutoMLDetection?, _ outputs: [TensorDescription])
    -> SSDOutputRoles?
  {
    guard let manifest else { return nil }
    func index(_ role: String) -> Int? {
      guard let place = manifest.outputTensorRepresentation.firstIndex(of: role),
        manifest.outputTensors.indices.contains(place)
      else { return nil }
      return outputs.firstIndex { $0.name == manifest.outputTensors[place] }
    }
    guard let boxes = index("bounding_boxes"), let classes = index("class_labels"),
      let scores = index("class_confidences"), let count = index("num_of_boxes")
    else { return nil }
    return SSDOutputRoles(boxes: boxes, classes: classes, scores: scores, count: count)
  }

  /// The names that the Task Library's metadata writers use.
  ///
  /// **Source:** tflite-support, `object_detector.cc`: "location", "category", "score", "number of detections".
  private static func byMetadata(_ metadata: ModelMetadata?) -> SSDOutputRoles? {
    guard let outputs = metadata?.outputs, outputs.count == 4 else { return nil }
    func index(_ name: String) -> Int? { outputs.firstIndex { $0.name?.lowercased() == name } }
    guard let boxes = index("location"), let classes = index("category"), let scores = index("score"),
      let count = index("number of detections")
    else { return nil }
    return SSDOutputRoles(boxes: boxes, classes: classes, scores: scores, count: count)
  }

  /// The operator's outputs are named after it: boxes without a suffix, then :1 classes, :2 scores, :3 count.
  private static func byOperatorNames(_ outputs: [TensorDescription]) -> SSDOutputRoles? {
    func index(_ suffix: String) -> Int? {
      outputs.firstIndex { $0.name == "TFLite_Detection_PostProcess\(suffix)" }
    }
    guard let boxes = index(""), let classes = index(":1"), let scores = index(":2"), let count = index(":3")
    else { return nil }
    return SSDOutputRoles(boxes: boxes, classes: classes, scores: scores, count: count)
  }

  /// TensorFlow 2 exports name their outputs after the call, in falling order: :3 boxes, :2 classes, :1 scores, :0
  /// count.
  private static func byCallNames(_ outputs: [TensorDescription]) -> SSDOutputRoles? {
    func index(_ number: Int) -> Int? {
      outputs.firstIndex { $0.name == "StatefulPartitionedCall:\(number)" }
    }
    guard let boxes = index(3), let classes = index(2), let scores = index(1), let count = index(0),
      outputs[boxes].shape.count == 3
    else { return nil }
    return SSDOutputRoles(boxes: boxes, classes: classes, scores: scores, count: count)
  }

  /// Boxes and count by their shapes; of the two others, classes come before scores, as the operator has them.
  private static func byOrder(_ outputs: [TensorDescription]) -> SSDOutputRoles? {
    guard let boxes = outputs.firstIndex(where: { $0.shape.count == 3 && $0.shape.last == 4 }),
      let count = outputs.lastIndex(where: { $0.elementCount == 1 }), count != boxes
    else { return nil }
    let others = outputs.indices.filter { $0 != boxes && $0 != count }
    return SSDOutputRoles(boxes: boxes, classes: others[0], scores: others[1], count: count)
  }
}

extension DetectorRecognizer {
  /// Which outputs of a post-processed SSD are boxes, classes, scores and count; nil for other models.
  package var postProcessedOutputs: [Int]? {
    SSDOutputRoles(signature: signature, metadata: metadata, autoML: hints.autoML).map {
      [$0.boxes, $0.classes, $0.scores, $0.count]
    }
  }
}
