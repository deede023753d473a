// SPDX-License-Identifier: Apache-2.0

import CLiteRT

/// The inputs and outputs of a model's main graph in the graph's own order.
///
/// A signature may list the same tensors in another order, as a rule that of their names. TensorFlow Lite's interpreter
/// counts in the graph's order.
package struct GraphOrder: Sendable, Hashable {
  /// The position of the signature that runs the main graph.
  package var signature: Int
  /// For each input of the graph its position in the signature.
  package var inputs: [Int]
  /// For each output of the graph its position in the signature.
  package var outputs: [Int]
}

extension Model {
  /// Finds the signature that runs the main graph, and where the graph's tensors stand in it.
  ///
  /// A tensor of the graph that the signature does not name is left out. A model none of whose signatures runs the main
  /// graph is taken by its first signature, in that signature's order.
  /// - Returns: The order of the graph.
  /// - Throws: `modelInvalid` when LiteRT does not tell.
  package func graphOrder() throws(RuntimeError) -> GraphOrder {
    let functions = unsafe library.functions
    var index = 0
    var main: fovea_subgraph?
    try check(unsafe functions.pointee.GetMainModelSubgraphIndex(handle, &index), "its main graph")
    try check(unsafe functions.pointee.GetModelSubgraph(handle, index, &main), "its main graph")
    for position in signatures.indices {
      var signature: fovea_signature?
      var graph: fovea_subgraph?
      try check(
        unsafe functions.pointee.GetModelSignature(handle, position, &signature), "signature \(position)")
      guard let signature = unsafe signature else { continue }
      try check(
        unsafe functions.pointee.GetSignatureSubgraph(signature, &graph), "the graph of signature \(position)"
      )
      guard let main = unsafe main, unsafe graph == main else { continue }
      let inputs = unsafe try positions(
        signatures[position].inputs.count, main, functions.pointee.GetNumSubgraphInputs,
        functions.pointee.GetSubgraphInput, signature, functions.pointee.GetSignatureInputTensorByIndex)
      let outputs = unsafe try positions(
        signatures[position].outputs.count, main, functions.pointee.GetNumSubgraphOutputs,
        functions.pointee.GetSubgraphOutput, signature, functions.pointee.GetSignatureOutputTensorByIndex)
      return GraphOrder(signature: position, inputs: inputs, outputs: outputs)
    }
    return GraphOrder(
      signature: 0, inputs: Array(signatures[0].inputs.indices), outputs: Array(signatures[0].outputs.indices)
    )
  }

  /// For each tensor in a list of the graph its position among the signature's `count` tensors.
  private func positions(
    _ count: Int, _ graph: fovea_subgraph,
    _ countOf: (fovea_subgraph, UnsafeMutablePointer<Int>) -> fovea_status,
    _ tensorOf: (fovea_subgraph, Int, UnsafeMutablePointer<fovea_tensor?>) -> fovea_status,
    _ signature: fovea_signature,
    _ namedTensorOf: (fovea_signature, Int, UnsafeMutablePointer<fovea_tensor?>) -> fovea_status
  ) throws(RuntimeError) -> [Int] {
    var named: [fovea_tensor?] = unsafe []
    for index in 0..<count {
      var tensor: fovea_tensor?
      unsafe try check(namedTensorOf(signature, index, &tensor), "tensor \(index) of a signature")
      unsafe named.append(tensor)
    }
    var number = 0
    unsafe try check(countOf(graph, &number), "the tensors of its main graph")
    var positions: [Int] = []
    for index in 0..<number {
      var tensor: fovea_tensor?
      unsafe try check(tensorOf(graph, index, &tensor), "tensor \(index) of its main graph")
      if let place = unsafe named.firstIndex(where: { unsafe $0 == tensor }) { positions.append(place) }
    }
    return positions
  }

  private func check(_ status: fovea_status, _ what: String) throws(RuntimeError) {
    guard status == 0 else {
      throw RuntimeError(
        .modelInvalid, "The model '\(name)' does not tell \(what) (\(RuntimeError.statusText(status)))",
        remedy: "Export the model again, with TensorFlow 2.x or LiteRT's converter")
    }
  }
}
