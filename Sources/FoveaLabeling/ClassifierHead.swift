// SPDX-License-Identifier: Apache-2.0

public import FoveaRuntime

/// The output of an image classifier: one score for each class.
///
/// Softmax and sigmoid are taken as the model has them; quantised scores become real numbers by the tensor's scale and
/// zero point. Of several outputs the first is read, as ML Kit does.
public struct ClassifierHead: Sendable, Hashable {
  /// Which output of the model, from 0.
  public let outputIndex: Int
  /// The number of classes.
  public let classCount: Int
  /// The output's name.
  public let outputName: String

  /// Recognises a classifier by its tensors.
  /// - Parameters:
  ///   - modelName: What errors call the model.
  ///   - signature: Inputs and outputs with the shapes that they have when the model runs.
  /// - Throws: `notAClassifier` with the tensors and the rule.
  public init(modelName: String, signature: ModelSignature) throws(LabelingError) {
    guard let output = signature.outputs.first, let classes = Self.classCount(of: output) else {
      let outputs = signature.outputs.map(\.description).joined(separator: ", ")
      throw LabelingError(
        .notAClassifier,
        "'\(modelName)' is not an image classifier: its outputs are \(outputs); a classifier has one output"
          + " [1, N] or [1, 1, 1, N] of uint8, int8 or float32",
        remedy: "Use 'fovea detect --model' if it is a detector; 'fovea model inspect' shows what it is")
    }
    outputIndex = 0
    classCount = classes
    outputName = output.name
  }

  /// The number of classes of a tensor [1, N] or [1, 1, 1, N]; nil for other shapes and types.
  private static func classCount(of tensor: TensorDescription) -> Int? {
    let shape = tensor.shape
    guard [.uint8, .int8, .float32, .float16].contains(tensor.elementType),
      shape.count == 2 || shape.count == 4,
      shape.dropLast().allSatisfy({ $0 == 1 }), let classes = shape.last, classes > 0
    else { return nil }
    return classes
  }
}
