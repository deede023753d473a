// SPDX-License-Identifier: Apache-2.0

/// Finds graphs that the runtime would follow outside its own memory.
///
/// LiteRT checks that a model is a valid FlatBuffer and that most operators fit their tensors, but a few things it takes
/// on trust: that scales come with zero points (else the process ends while the model is opened), that tensors exist
/// and were written before they are read, that the options of custom operators can be read. Each rule here is one that
/// an honest model keeps and whose breach was seen to end the process, or reads memory that is not the model's by the
/// runtime's own source.
public enum ModelGraphCheck {
  /// Checks the tensors, the operators, the calls between subgraphs, the signatures and the memory of a model.
  ///
  /// - Parameter bytes: The whole model file.
  /// - Returns: What has to be repaired before a runtime sees the model, which `FoveaRuntime`'s `Model` does in memory;
  ///   empty for nearly every model.
  /// - Throws: `MetadataError` with `notAModel` or `damagedModel`.
  /// - Complexity: Linear in the number of tensors and operators; weights are not read.
  @discardableResult public static func check(_ bytes: Span<UInt8>) throws(MetadataError) -> [ModelRepair] {
    try patch(bytes)?.repairs ?? []
  }

  /// Checks a model as `check` does, and says how it is to be changed before a runtime sees it.
  /// - Parameter bytes: The whole model file.
  /// - Returns: nil where it can stay unchanged. The patched bytes are to be checked again: in a damaged file a number may be
  ///   part of several things.
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

  /// Checks that subgraphs do not call each other in a circle, which the runtime would follow until its stack ends.
  private static func checkCalls(_ graphs: [CheckedGraph]) throws(MetadataError) {
    // 0 not seen, 1 open, 2 done; a stack in place of recursion, as a file may nest as deep as it likes.
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
          throw .damaged("subgraph \(graph) calls subgraph \(callee), which calls it in turn")
        }
        guard state[callee] == 0 else { continue }
        state[callee] = 1
        open.append((callee, 0))
      }
    }
  }
}
