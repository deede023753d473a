// SPDX-License-Identifier: Apache-2.0

import FoveaMetadata
import FoveaRuntime

/// Models of one output whose name shows that its few numbers are not scores.
enum NamedNumbers {
  /// The contents that names show, with the greatest number of values of one image.
  private static let contents: [(words: Set<Substring>, what: String, greatest: Int)] = [
    (["bbox", "box", "crop"], "the place of one box", 5),
    (["valence", "arousal"], "the strength of a feeling", 2),
  ]

  /// Recognises such a model.
  /// - Parameters:
  ///   - signature: The tensors with their shapes at run time.
  ///   - ends: The last operation of the graph for each output, by name.
  ///   - labelCount: The number of labels of the model; as many numbers are scores.
  /// - Returns: The kind; nil for other models.
  static func recognized(
    _ signature: ModelSignature, ends: [String: OutputActivation], labelCount: Int?
  ) -> UnsupportedModel? {
    guard signature.outputs.count == 1, let output = signature.outputs.first,
      ends[output.name] != .softmax
    else { return nil }
    let count = output.shape.reduce(1, *)
    guard count > 0, count != labelCount else { return nil }
    let names = (output.name + " " + output.signatureName).lowercased()
    let words = Set(names.split { !$0.isLetter })
    guard
      let content = contents.first(where: { count <= $0.greatest && !$0.words.isDisjoint(with: words) })
    else { return nil }
    return UnsupportedModel(
      "it outputs \(content.what), \(output), not scores of classes", remedy: UnsupportedModel.otherModel)
  }
}
