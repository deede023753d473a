// SPDX-License-Identifier: Apache-2.0

/// The options of a model's `TFLite_Detection_PostProcess` operator that describe its outputs.
///
/// **Source:** TensorFlow Lite, `detection_postprocess.cc`: `num_classes` is without the background.
package struct PostProcessOptions: Sendable, Hashable {
  /// The number of classes of the model, 1 or more; nil if it is not declared.
  package var classCount: Int?
  /// The names of the operator's outputs: boxes, classes, scores, count; empty if unknown.
  package var outputs: [String] = []

  /// Creates options.
  package init(classCount: Int? = nil) { self.classCount = classCount }

  /// Reads the options of the first such operator.
  /// - Parameter bytes: The whole model file.
  /// - Returns: The options; nil if the model has no such operator.
  /// - Throws: `MetadataError` with `notAModel` or `damagedModel`.
  package static func read(_ bytes: Span<UInt8>) throws(MetadataError) -> PostProcessOptions? {
    let root = try ModelFile(bytes).root
    var budget = FlatBudget()
    let kinds = try OperatorKind.all(root, in: bytes, &budget)
    guard let main = try root.tables(ModelFile.Field.subgraphs, in: bytes, &budget).first else { return nil }
    for node in try main.tables(GraphSchema.Subgraph.operators, in: bytes, &budget) {
      let code = Int(try node.uint32(GraphSchema.Operator.code, in: bytes))
      guard kinds.indices.contains(code) else {
        throw .damaged("an operator has the code \(code), but the model lists \(kinds.count) codes")
      }
      guard kinds[code].isPostProcess else { continue }
      let options = try node.bytes(GraphSchema.Operator.customOptions, in: bytes, &budget) ?? []
      let count = FlexMap(options)?.int("num_classes")
      var found = PostProcessOptions(classCount: count.flatMap { $0 > 0 ? $0 : nil })
      let tensors = try main.tables(GraphSchema.Subgraph.tensors, in: bytes, &budget)
      for output in try node.uint32s(GraphSchema.Operator.outputs, in: bytes, &budget) {
        guard Int(output) < tensors.count else {
          throw .damaged("an operator writes tensor \(output), but the model has \(tensors.count)")
        }
        found.outputs.append(
          try tensors[Int(output)].string(GraphSchema.Tensor.name, in: bytes, &budget) ?? "")
      }
      return found
    }
    return nil
  }
}
