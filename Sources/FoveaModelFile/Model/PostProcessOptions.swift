// SPDX-License-Identifier: Apache-2.0

/// What a model's operator `TFLite_Detection_PostProcess` is set to, as far as it says something about the answers.
///
/// **Source:** TensorFlow Lite, `detection_postprocess.cc`: `num_classes` is without the background.
public struct PostProcessOptions: Sendable, Hashable {
  /// The number of classes of the model, 1 or more; nil where it does not say.
  public var classCount: Int?

  /// Makes options.
  public init(classCount: Int? = nil) { self.classCount = classCount }

  /// Reads the options of the first such operator.
  /// - Parameter bytes: The whole model file.
  /// - Returns: The options, or nil where the model has no such operator.
  /// - Throws: `MetadataError` with `notAModel` or `damagedModel`.
  public static func read(_ bytes: Span<UInt8>) throws(MetadataError) -> PostProcessOptions? {
    let operators = try ModelGraphSummary.read(bytes).customOperators
    guard let node = operators.first(where: { $0.name == "TFLite_Detection_PostProcess" }) else { return nil }
    let count = FlexMap(node.options)?.int("num_classes")
    return PostProcessOptions(classCount: count.flatMap { $0 > 0 ? $0 : nil })
  }
}
