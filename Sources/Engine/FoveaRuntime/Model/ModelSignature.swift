// SPDX-License-Identifier: Apache-2.0

import CLiteRT

/// A signature of a model: its inputs and outputs, in order.
public struct ModelSignature: Sendable, Hashable {
  /// The signature's name, such as "serving_default"; nil for the only signature of a model without named
  /// ones.
  public var key: String?
  /// The input tensors, in the order of the signature.
  public var inputs: [TensorDescription]
  /// The output tensors, in the order of the signature.
  public var outputs: [TensorDescription]

  /// Creates a signature.
  public init(key: String?, inputs: [TensorDescription], outputs: [TensorDescription]) {
    self.key = key
    self.inputs = inputs
    self.outputs = outputs
  }
}

extension Model {
  /// Returns the position of the signature that runs the main graph, which TensorFlow Lite's interpreter
  /// runs.
  ///
  /// Models with several signatures may list another first. If no signature runs the main graph, the first
  /// signature is used.
  /// - Returns: An index into `signatures`.
  /// - Throws: `modelInvalid` if LiteRT does not report the main graph.
  package func mainSignature() throws(RuntimeError) -> Int {
    let functions = unsafe library.functions
    var index = 0
    var main: fovea_subgraph?
    try check(unsafe functions.pointee.GetMainModelSubgraphIndex(handle, &index))
    try check(unsafe functions.pointee.GetModelSubgraph(handle, index, &main))
    for position in signatures.indices {
      var signature: fovea_signature?
      var graph: fovea_subgraph?
      try check(unsafe functions.pointee.GetModelSignature(handle, position, &signature))
      guard let signature = unsafe signature else { continue }
      try check(unsafe functions.pointee.GetSignatureSubgraph(signature, &graph))
      if unsafe graph == main { return position }
    }
    return 0
  }

  private func check(_ status: fovea_status) throws(RuntimeError) {
    guard status == 0 else {
      throw RuntimeError(
        .modelInvalid,
        "LiteRT does not report the main graph of \(theModel: name) (\(RuntimeError.statusText(status)))",
        remedy: "Export the model again, with TensorFlow 2.x or LiteRT's converter")
    }
  }
}
