// SPDX-License-Identifier: Apache-2.0

import FoveaCore
import FoveaDecoding
import FoveaMetadata
import FoveaRuntime

/// The purpose of a model that is neither a detector nor a classifier, as its tensors and operators show it.
package struct UnsupportedModel: Sendable, Hashable {
  /// The model's purpose as a clause: "it finds the landmarks of a hand".
  let what: String
  /// The next step: one sentence without a full stop.
  let remedy: Advice
  /// The number of features of a model that `ImageEmbedder` runs whole; nil for other models.
  let featureCount: Int?

  init(_ what: String, remedy: Advice, featureCount: Int? = nil) {
    self.what = what
    self.remedy = remedy
    self.featureCount = featureCount
  }

  /// Returns the error of a model that was given as a detector or a classifier.
  func error(modelName: String) -> FoveaError {
    var error = FoveaError(
      FoveaCode(RuntimeCode.modelUnsupported),
      featureCount == nil
        ? "Fovea cannot use '\(modelName)': \(what)"
        : "'\(modelName)' is neither a detector nor a classifier: \(what)",
      remedy: remedy)
    error.reason = what
    return error
  }

  static let otherModel: Advice = "Use a detector or a classifier\(term: .otherModels)"

  /// Recognises models that neither a detector nor a classifier can use, before they are compiled: by their
  /// operators, and by inputs that are not an image.
  /// - Parameters:
  ///   - operators: The names of the custom operators.
  ///   - signature: The tensors in the file.
  ///   - content: The input's content in the metadata.
  /// - Returns: The kind; nil if none is recognised.
  static func ofInputs(
    operators: [String], _ signature: ModelSignature, content: TensorContent? = nil
  ) -> UnsupportedModel? {
    if let foreign = ForeignOperator.recognized(operators) { return foreign }
    guard let input = signature.inputs.first else { return nil }
    if input.elementType == .string || input.elementType == .int32 && input.shape.count <= 2 {
      return UnsupportedModel("it takes text, '\(input.name)', not an image", remedy: otherModel)
    }
    return NumberSeries.recognized(operators: operators, signature, content: content)
  }

  /// Recognises a model by outputs that are not scores, even if it comes with labels.
  /// - Parameters:
  ///   - signature: The tensors with their shapes at run time.
  ///   - ends: The last operation of the graph for each output, by name.
  ///   - labelCount: The number of labels of the model; a row with that number of values is not landmarks.
  ///   - task: The task that the exporter names.
  /// - Returns: The kind; nil if none is recognised.
  static func ofShapes(
    _ signature: ModelSignature, ends: [String: OutputActivation], labelCount: Int?, task: String? = nil
  ) -> UnsupportedModel? {
    UnreadDetector.recognized(signature)
      ?? Landmarks.recognized(signature, ends: ends, labelCount: labelCount)
      ?? PixelMaps.recognized(signature, ends: ends, labelCount: labelCount, task: task)
      ?? NamedNumbers.recognized(signature, ends: ends, labelCount: labelCount)
  }

  /// Recognises a model of no detector family by its outputs, unless its labels show that it is a classifier.
  /// - Parameters:
  ///   - signature: The tensors with their shapes at run time.
  ///   - ends: The last operation of the graph for each output, by name.
  ///   - labelCount: The number of labels of the model; if the first output has that number of values, the
  ///     model is a classifier.
  ///   - task: The task that the exporter names.
  /// - Returns: The kind; nil if none is recognised.
  static func ofOutputs(
    _ signature: ModelSignature, ends: [String: OutputActivation], labelCount: Int?, task: String? = nil
  ) -> UnsupportedModel? {
    guard let output = signature.outputs.first else { return nil }
    if let kind = ofShapes(signature, ends: ends, labelCount: labelCount, task: task) { return kind }
    let count = output.shape.last ?? 0
    guard output.shape.count > 1, output.shape.dropLast().allSatisfy({ $0 == 1 }), labelCount != count else {
      return nil
    }
    let end = ends[output.name]
    let names = (signature.inputs + signature.outputs).map { $0.name.lowercased() }
    if count > 1, names.contains(where: { $0.contains(part: "style") }), end != .softmax, end != .sigmoid {
      return UnsupportedModel(
        "it outputs the style of an image, \(output), for style transfer", remedy: otherModel)
    }
    // The widths of the layers before a classifier's last one; 1,000 classes are not such a width.
    let isWidth = count >= 64 && count.isMultiple(of: 64)
    let isFeatures =
      end == .unitLength || isWidth && (end == .pooled || end == .linear)
      || names.contains { $0.contains(part: "embedding") || $0.contains(part: "feature_vector") }
    guard count > 1, isFeatures, end != .softmax, end != .sigmoid else { return nil }
    if signature.inputs.count == 1, signature.inputs[0].elementCount == count {
      return UnsupportedModel(
        "it outputs as many numbers as it takes, \(output): its input again (an autoencoder)",
        remedy: otherModel)
    }
    return UnsupportedModel(
      "it outputs a vector of \(count) features (an embedding), not scores",
      remedy:
        "Use \(term: .embedder) for features, or a classifier; if these are classes, supply"
        + " their \(count) labels (\(option: "labels"))",
      featureCount: count
    )
  }
}
