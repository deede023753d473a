// SPDX-License-Identifier: Apache-2.0

import FoveaCore
import FoveaMetadata
import FoveaRuntime

/// The roles of the outputs of a post-processed SSD.
struct SSDOutputRoles: Hashable {
  var boxes: Int
  var classes: Int
  var scores: Int
  var count: Int
  /// Whether nothing identifies classes and scores, so that the values of each run decide between them.
  var isGuess = false

  /// Finds the roles by the operator that produces the outputs, then by AutoML's manifest, the tensors'
  /// names, the names in the metadata, the names that converters use, a name of only the scores or only the
  /// classes, the ranges of quantised tensors, and finally by shape and order.
  /// - Returns: nil if the outputs are not those of a post-processed SSD.
  init?(signature: ModelSignature, metadata: ModelMetadata?, hints: DetectorHints = DetectorHints()) {
    let outputs = signature.outputs
    guard outputs.count == 4, outputs.allSatisfy(Self.holdsNumbers) else { return nil }
    let names = outputs.map(\.name)
    let candidates = [
      hints.postProcess.flatMap { SSDOutputRoles($0.outputs, among: names) },
      Self.byManifest(hints.autoML, names), Self.byWords(outputs), Self.byOperatorNames(names),
      Self.byMetadata(metadata), SSDOutputRoles(Self.callNames, among: names), Self.byPartOfWords(outputs),
      Self.byOrder(outputs),
    ]
    guard let found = candidates.lazy.compactMap({ $0 }).first(where: { $0.fits(outputs) }) else {
      return nil
    }
    self = found
  }

  init(boxes: Int, classes: Int, scores: Int, count: Int, isGuess: Bool = false) {
    self.boxes = boxes
    self.classes = classes
    self.scores = scores
    self.count = count
    self.isGuess = isGuess
  }

  /// Creates the roles from positions in the order of the operator's outputs.
  private init?(_ places: [Int?]) {
    let known = places.compactMap { $0 }
    guard known.count == 4, Set(known).count == 4 else { return nil }
    self.init(boxes: known[0], classes: known[1], scores: known[2], count: known[3])
  }

  /// Finds tensors by their names, given in the order of the operator's outputs.
  private init?(_ names: [String], among all: [String?]) {
    self.init(names.map { name in all.firstIndex { $0 == name } })
  }

  /// Returns whether a tensor's numbers can be read: real numbers, or bytes with a single scale.
  private static func holdsNumbers(_ tensor: TensorDescription) -> Bool {
    if tensor.elementType == .float32 { return true }
    guard case .perTensor(let scale, _) = tensor.quantization, scale > 0 else { return false }
    return tensor.elementType == .uint8 || tensor.elementType == .int8
  }

  /// Returns whether the shapes are [1, N, 4], [1, N], [1, N] and one value, with the same N.
  private func fits(_ outputs: [TensorDescription]) -> Bool {
    let box = outputs[boxes].shape
    guard box.count == 3, box[0] == 1, box[1] > 0, box[2] == 4 else { return false }
    return outputs[classes].elementCount == box[1] && outputs[scores].elementCount == box[1]
      && outputs[count].elementCount == 1
  }

  /// Finds the outputs by the tensor names in `tflite_metadata.json`.
  private static func byManifest(_ manifest: AutoMLDetection?, _ names: [String]) -> SSDOutputRoles? {
    guard let manifest else { return nil }
    let roles = ["bounding_boxes", "class_labels", "class_confidences", "num_of_boxes"]
    let tensors = roles.compactMap { role -> String? in
      manifest.outputTensorRepresentation.firstIndex(of: role).flatMap { place in
        manifest.outputTensors.indices.contains(place) ? manifest.outputTensors[place] : nil
      }
    }
    return SSDOutputRoles(tensors, among: names)
  }

  /// Finds the outputs by the names that the Task Library's metadata writers use.
  ///
  /// **Source:** tflite-support, `object_detector.cc`: "location", "category", "score", "number of
  /// detections".
  private static func byMetadata(_ metadata: ModelMetadata?) -> SSDOutputRoles? {
    guard let outputs = metadata?.outputs, outputs.count == 4 else { return nil }
    return SSDOutputRoles(
      ["location", "category", "score", "number of detections"], among: outputs.map { $0.name?.lowercased() })
  }

  /// Finds outputs named after the operator: boxes without a suffix, then :1 classes, :2 scores, :3 count.
  private static func byOperatorNames(_ names: [String]) -> SSDOutputRoles? {
    SSDOutputRoles(
      ["", ":1", ":2", ":3"].map { suffix in
        names.firstIndex { $0.hasSuffix("TFLite_Detection_PostProcess\(suffix)") }
      })
  }

  /// The names of outputs after the call, as TensorFlow 2 exports them: in descending order.
  private static let callNames = (0...3).reversed().map { "StatefulPartitionedCall:\($0)" }
}

extension SSDOutputRoles {
  private static let scoreWords = ["score", "confidence", "prob"]
  private static let classWords = ["class", "categor", "label"]

  /// Returns all names of the tensors in lower case.
  private static func lowercasedNames(_ outputs: [TensorDescription]) -> [String] {
    outputs.map { ($0.name + " " + $0.signatureName).lowercased() }
  }

  /// Finds outputs by words that exactly one tensor's names contain: "detection_scores", "num_detections".
  ///
  /// Count and scores come first because AutoML calls them `num_of_boxes` and `class_confidences`.
  private static func byWords(_ outputs: [TensorDescription]) -> SSDOutputRoles? {
    let names = lowercasedNames(outputs)
    var left = Set(outputs.indices)
    func take(_ words: [String]) -> Int? {
      let places = left.filter { place in words.contains { names[place].contains(part: $0) } }
      guard places.count == 1, let place = places.first else { return nil }
      left.remove(place)
      return place
    }
    let count = take(["num", "count"])
    let scores = take(scoreWords)
    let classes = take(classWords)
    let boxes = take(["box", "location", "rect"]) ?? (left.count == 1 ? left.first : nil)
    return SSDOutputRoles([boxes, classes, scores, count])
  }

  /// Finds scores or classes by a word that only one of the two contains, boxes and count by their shapes.
  private static func byPartOfWords(_ outputs: [TensorDescription]) -> SSDOutputRoles? {
    guard var roles = byOrder(outputs) else { return nil }
    let names = lowercasedNames(outputs)
    let others = [roles.classes, roles.scores]
    func only(_ words: [String]) -> Int? {
      let places = others.filter { place in words.contains { names[place].contains(part: $0) } }
      return places.count == 1 ? places[0] : nil
    }
    if let scores = only(scoreWords) {
      (roles.classes, roles.scores) = (others[0] == scores ? others[1] : others[0], scores)
    } else if let classes = only(classWords) {
      (roles.classes, roles.scores) = (classes, others[0] == classes ? others[1] : others[0])
    } else {
      return nil
    }
    // A tensor that can exceed 1 does not hold scores.
    guard outputs[roles.scores].numberRange.map({ $0.upperBound <= 1.02 }) ?? true else { return nil }
    roles.isGuess = false
    return roles
  }

  /// Finds boxes and count by their shapes.
  ///
  /// Of the other two, classes come before scores, as in the operator,
  /// unless the quantisation ranges allow only the other order.
  private static func byOrder(_ outputs: [TensorDescription]) -> SSDOutputRoles? {
    let single = outputs.indices.filter { outputs[$0].elementCount == 1 }
    guard let boxes = outputs.firstIndex(where: { $0.shape.count == 3 && $0.shape.last == 4 }),
      let count = single.last(where: { outputs[$0].shape.count < 2 }) ?? single.last, count != boxes
    else { return nil }
    let others = outputs.indices.filter { $0 != boxes && $0 != count }
    var roles = SSDOutputRoles(
      boxes: boxes, classes: others[0], scores: others[1], count: count, isGuess: true)
    let numbers = others.map { outputs[$0].numberRange?.upperBound }
    if let first = numbers[0], let second = numbers[1], first <= 1.02, second > 1.02 {
      swap(&roles.classes, &roles.scores)
    }
    return roles
  }
}

extension DetectorRecognizer {
  /// The indices of boxes, classes, scores and count of a post-processed SSD; nil for other models.
  package var postProcessedOutputs: [Int]? {
    SSDOutputRoles(signature: signature, metadata: metadata, hints: hints).map {
      [$0.boxes, $0.classes, $0.scores, $0.count]
    }
  }
}
