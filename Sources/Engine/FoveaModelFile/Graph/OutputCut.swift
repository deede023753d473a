// SPDX-License-Identifier: Apache-2.0

/// Removes outputs of a graph, with the operators that only they need.
///
/// The numbers of the other outputs stay the same; they take less time.
package enum OutputCut {
  /// Returns the changes that remove outputs.
  /// - Parameters:
  ///   - bytes: A whole model file that has passed `ModelGraphCheck`.
  ///   - names: The names of the tensors to keep as outputs.
  /// - Returns: The changes, after which the bytes must be checked again; nil if no output can be removed:
  ///   for several subgraphs, operators without a result, and outputs with one name.
  /// - Throws: `damagedModel`.
  package static func patch(
    _ bytes: Span<UInt8>, keeping names: Set<String>
  ) throws(MetadataError) -> ModelPatch? {
    typealias Field = GraphSchema.Subgraph
    let root = try ModelFile(bytes).root
    var budget = FlatBudget()
    guard try root.tables(ModelFile.Field.subgraphs, in: bytes, &budget).count == 1 else { return nil }
    let graph = try SourceGraph(bytes, &budget, refusal: { .damaged($0) })
    let kept = graph.outputs.filter { names.contains(graph.tensors[$0].name) }
    guard !kept.isEmpty, kept.count == names.count, kept.count < graph.outputs.count,
      Set(graph.outputs).count == graph.outputs.count, graph.nodes.allSatisfy({ !$0.outputs.isEmpty }),
      let outputs = try graph.subgraph.vector(Field.outputs, stride: 4, in: bytes),
      let operators = try graph.subgraph.vector(Field.operators, stride: 4, in: bytes)
    else { return nil }
    var patch = ModelPatch(byteCount: bytes.count)
    patch.store(UInt32(kept.count), at: outputs.start - 4)
    for (place, tensor) in kept.enumerated() { patch.store(UInt32(tensor), at: outputs.start + 4 * place) }
    try patch.keep(graph.nodes(neededFor: Set(kept)), of: operators, named: "operators", in: bytes)
    for signature in try root.tables(ModelFile.Field.signatureDefs, in: bytes, &budget) {
      let entries = try signature.tables(GraphSchema.Signature.outputs, in: bytes, &budget)
      guard let vector = try signature.vector(GraphSchema.Signature.outputs, stride: 4, in: bytes) else {
        continue
      }
      var places: [Int] = []
      for (place, entry) in entries.enumerated()
      where kept.contains(Int(try entry.uint32(GraphSchema.TensorMap.tensor, in: bytes))) {
        places.append(place)
      }
      try patch.keep(places, of: vector, named: "outputs", in: bytes)
    }
    return patch
  }
}
