// SPDX-License-Identifier: Apache-2.0

import FoveaCore
import FoveaRuntime

/// Detectors exported without their boxes, whose scores and classes look like a classifier's row.
enum IncompleteDetector {
  /// The names of outputs of the Object Detection API and of LiteRT's operator.
  private static let names = [
    "detection_scores", "detectionscores", "detection_classes", "detectionclasses",
    "detection_multiclass_scores", "num_detections", "numdetections", "detection_postprocess",
  ]
  private static let scoreWords: Set<Substring> = ["score", "scores", "confidences", "probabilities"]
  private static let classWords: Set<Substring> = ["classes", "categories", "category", "labels", "ids"]

  /// Recognises such a model by the names of its outputs, none of which has four numbers for each score.
  /// - Parameters:
  ///   - signature: The tensors with their shapes at run time.
  ///   - described: The names of the outputs in the metadata; nil for those without one.
  /// - Returns: The kind; nil for other models.
  static func recognized(_ signature: ModelSignature, described: [String?]) -> UnsupportedModel? {
    let outputs = signature.outputs
    let counts = outputs.map { $0.elementCount ?? 0 }
    guard !counts.contains(0), !counts.contains(where: { $0 > 1 && counts.contains(4 * $0) }) else {
      return nil
    }
    let texts = outputs.indices.map { index in
      let name = described.indices.contains(index) ? described[index] ?? "" : ""
      return "\(outputs[index].name) \(outputs[index].signatureName) \(name)".lowercased()
    }
    let list = outputs.map(\.description).joined(separator: ", ")
    if texts.contains(where: { text in names.contains { text.contains(part: $0) } }) {
      return UnsupportedModel(
        "it is a detector without its boxes: it outputs \(list)",
        remedy: "Export all four outputs of the detector: boxes [1, N, 4], classes, scores and their number")
    }
    let words = texts.map { Set($0.split { !$0.isLetter }) }
    func place(_ own: Set<Substring>, without others: Set<Substring>) -> Int? {
      words.firstIndex { !$0.isDisjoint(with: own) && $0.isDisjoint(with: others) }
    }
    guard let scores = place(scoreWords, without: classWords),
      let classes = place(classWords, without: scoreWords), counts[scores] > 1,
      outputs[scores].shape == outputs[classes].shape
    else { return nil }
    return UnsupportedModel(
      "it outputs a list of classes and their scores without boxes, \(list), not a score for each class",
      remedy: "Export a detector with its boxes, or a classifier with one score for each class")
  }
}
