// SPDX-License-Identifier: Apache-2.0

import FoveaCore
public import FoveaRuntime

/// The output of an image classifier: one score per class.
///
/// Quantised scores become real numbers by the tensor's scale and zero point; `ConfidenceReading` interprets
/// these. If there are several outputs, the first is read, as in ML Kit.
public struct ClassifierHead: Sendable, Hashable {
  /// The index of the output, from 0.
  public let outputIndex: Int
  /// The number of classes.
  public let classCount: Int
  /// The output's name.
  public let outputName: String
  /// Whether the tensor's scale and zero point allow only 0…1; false for tensors that are not quantised.
  package let holdsProbabilities: Bool

  /// Recognises a classifier by its tensors.
  /// - Parameters:
  ///   - modelName: The model's name in error messages.
  ///   - signature: The inputs and outputs, with the shapes that they have when the model runs.
  /// - Throws: `notAClassifier` with the tensors and the rule.
  public init(modelName: String, signature: ModelSignature) throws(LabelingError) {
    guard let head = ClassifierHead(of: signature) else {
      throw Self.refusal(modelName: modelName, signature: signature)
    }
    self = head
  }

  /// Returns the error for a model whose outputs are not a classifier's.
  package static func refusal(modelName: String, signature: ModelSignature) -> LabelingError {
    let outputs = signature.outputs.map(\.description).joined(separator: ", ")
    return LabelingError(
      .notAClassifier,
      "'\(modelName)' is not an image classifier: its outputs are \(outputs); a classifier has one output"
        + " [1, N] or [1, 1, 1, N] of uint8, int8 or float32",
      remedy: "Use \(term: .detector) if it is a detector; \(term: .inspect) shows what it is")
  }

  /// Returns whether the outputs are a detector's, boxes with one score each, whichever output is first.
  ///
  /// Four numbers per score show it, in either order, with any dimensions of 1. If all numbers are in one
  /// row, a name shows it, or the other outputs of a post-processed SSD.
  package func hasBoxes(_ signature: ModelSignature) -> Bool {
    let outputs = signature.outputs
    let hasFourEach = outputs.contains { output in
      output.shape == [1, classCount, 4] || output.shape == [classCount, 4]
        || [[classCount, 4], [4, classCount]].contains(output.shape.filter { $0 != 1 })
    }
    guard !hasFourEach else { return true }
    let counts = outputs.map { $0.elementCount ?? 0 }
    return outputs.indices.contains { index in
      let boxes = counts[index] / 4
      guard boxes > 1, counts[index] == boxes * 4, counts.contains(boxes) else { return false }
      let name = outputs[index].name.lowercased()
      if name.contains(part: "box") || name.contains(part: "location") { return true }
      return counts.sorted() == [1, boxes, boxes, 4 * boxes] && outputs.contains { $0.shape == [1] }
    }
  }

  /// Reads the first output as a classifier's; nil if it is not one.
  package init?(of signature: ModelSignature) {
    guard let output = signature.outputs.first, let classes = Self.classCount(of: output) else { return nil }
    outputIndex = 0
    classCount = classes
    outputName = output.name
    holdsProbabilities = Self.holdsProbabilities(output)
  }

  /// Returns whether a quantised tensor can hold only probabilities: steps of 1/256 or 1/255 from 0.
  static func holdsProbabilities(_ tensor: TensorDescription) -> Bool {
    guard case .perTensor(let scale, let zeroPoint) = tensor.quantization, scale > 0 else { return false }
    let (least, most): (Int, Int)
    switch tensor.elementType {
    case .uint8: (least, most) = (0, 255)
    case .int8: (least, most) = (-128, 127)
    default: return false
    }
    return Float(least - zeroPoint) * scale >= -0.01 && Float(most - zeroPoint) * scale <= 1.01
  }

  /// Returns the number of classes of a tensor [1, N] or [1, 1, 1, N]; nil for other shapes and types.
  private static func classCount(of tensor: TensorDescription) -> Int? {
    let shape = tensor.shape
    guard [.uint8, .int8, .float32, .float16].contains(tensor.elementType),
      shape.count == 2 || shape.count == 4,
      shape.dropLast().allSatisfy({ $0 == 1 }), let classes = shape.last, classes > 0
    else { return nil }
    return classes
  }
}
