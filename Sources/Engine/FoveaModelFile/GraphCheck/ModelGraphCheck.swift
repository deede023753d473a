// SPDX-License-Identifier: Apache-2.0

/// A check for graphs that would make the runtime access memory out of bounds.
///
/// LiteRT checks that a model is a valid FlatBuffer and that most operators match their tensors, but it
/// trusts a few things: that scales come with zero points (otherwise the process crashes while opening the
/// model), that tensors exist and are written before they are read, and that the options of custom operators
/// are valid. Real models follow every rule here. Breaking a rule has crashed the process, or accesses memory
/// out of bounds according to the runtime's source.
public enum ModelGraphCheck {
  /// Verifies the tensors, operators, calls between subgraphs, signatures and memory of a model.
  ///
  /// - Parameter bytes: The whole model file.
  /// - Returns: The repairs that are needed before a runtime opens the model, which `FoveaRuntime`'s `Model`
  ///   makes in memory; empty for nearly every model.
  /// - Throws: `MetadataError` with `notAModel` or `damagedModel`.
  /// - Complexity: Linear in the number of tensors and operators; weights are not read.
  @discardableResult public static func check(_ bytes: Span<UInt8>) throws(MetadataError) -> [ModelRepair] {
    try patch(bytes)?.repairs ?? []
  }

  /// Verifies a model like `check`, and returns the changes that are needed before a runtime opens it.
  /// - Parameter bytes: The whole model file.
  /// - Returns: The changes; nil if none are needed. The patched bytes must be checked again: in a damaged
  ///   file, objects may share a number.
  /// - Throws: `MetadataError` with `notAModel` or `damagedModel`.
  package static func patch(_ bytes: Span<UInt8>) throws(MetadataError) -> ModelPatch? {
    let root = try ModelFile(bytes).root
    var budget = FlatBudget()
    let kinds = try OperatorKind.all(root, in: bytes, &budget)
    let buffers = try ModelBuffer.all(root, in: bytes, &budget)
    let tables = try root.tables(ModelFile.Field.subgraphs, in: bytes, &budget)
    var graphs: [CheckedGraph] = []
    for table in tables {
      let graph = try CheckedGraph(table, kinds: kinds, buffers: buffers, in: bytes, &budget)
      try graph.checkOrder()
      try graph.checkShapes(in: bytes, &budget)
      try graph.checkSparse()
      try graph.checkMemory()
      try graph.checkPostProcessing()
      graphs.append(graph)
    }
    try checkCalls(graphs)
    let signatures = try CheckedSignatures(root, graphs, in: bytes, &budget)
    for index in signatures.callable where graphs.indices.contains(index) { try graphs[index].checkOutputs() }
    var patch = ModelPatch(byteCount: bytes.count)
    try signatures.repair(&patch, in: bytes)
    for graph in graphs { try ChannelScales.repair(graph, &patch, in: bytes) }
    return patch.repairs.isEmpty ? nil : patch
  }

  /// Verifies that subgraphs do not call each other in a cycle, which would overflow the runtime's stack.
  private static func checkCalls(_ graphs: [CheckedGraph]) throws(MetadataError) {
    // 0 not seen, 1 open, 2 done; a stack instead of recursion, as a file may nest to any depth.
    var state = [UInt8](repeating: 0, count: graphs.count)
    for start in graphs.indices where state[start] == 0 {
      var open = [(graph: start, next: 0)]
      state[start] = 1
      while let (graph, next) = open.last {
        guard next < graphs[graph].calls.count else {
          state[graph] = 2
          open.removeLast()
          continue
        }
        open[open.count - 1].next += 1
        let callee = graphs[graph].calls[next]
        guard graphs.indices.contains(callee) else {
          throw .damaged("subgraph \(graph) calls subgraph \(callee), but the model has \(graphs.count)")
        }
        guard state[callee] != 1 else {
          throw .damaged("subgraph \(graph) calls subgraph \(callee), which calls it again")
        }
        guard state[callee] == 0 else { continue }
        state[callee] = 1
        open.append((callee, 0))
      }
    }
  }
}
