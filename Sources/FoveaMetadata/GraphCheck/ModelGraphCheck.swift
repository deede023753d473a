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
  /// - Throws: `MetadataError` with `notAModel` or `damagedModel`.
  /// - Complexity: Linear in the number of tensors and operators; weights are not read.
  public static func check(_ bytes: Span<UInt8>) throws(MetadataError) {
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
      try graph.checkMemory()
      try graph.checkPostProcessing()
      graphs.append(graph)
    }
    try checkCalls(graphs)
    let callable = try checkSignatures(root, graphs, in: bytes, &budget)
    for index in callable where graphs.indices.contains(index) { try graphs[index].checkOutputs() }
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

  /// Checks that signatures name tensors that are there, and gives the subgraphs that can be called from outside.
  ///
  /// **Source:** TensorFlow Lite, `schema.fbs`, tables SignatureDef and TensorMap.
  private static func checkSignatures(
    _ root: FlatTable, _ graphs: [CheckedGraph], in bytes: Span<UInt8>, _ budget: inout FlatBudget
  ) throws(MetadataError) -> Set<Int> {
    var callable: Set = [0]
    for signature in try root.tables(ModelFile.Field.signatureDefs, in: bytes, &budget) {
      let index = Int(try signature.uint32(FlatField(4, "signature_defs.subgraph_index"), in: bytes))
      guard graphs.indices.contains(index) else {
        throw .damaged("a signature is for subgraph \(index), but the model has \(graphs.count)")
      }
      callable.insert(index)
      for field in [FlatField(0, "signature_defs.inputs"), FlatField(1, "signature_defs.outputs")] {
        for entry in try signature.tables(field, in: bytes, &budget) {
          let tensor = Int(try entry.uint32(FlatField(1, "tensor_map.tensor_index"), in: bytes))
          guard graphs[index].tensors.indices.contains(tensor) else {
            throw .damaged(
              "a signature uses tensor \(tensor), but the model has \(graphs[index].tensors.count) tensors")
          }
        }
      }
    }
    return callable
  }
}
