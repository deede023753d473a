// SPDX-License-Identifier: Apache-2.0

/// Appends a linear head to the embedding of a cut graph.
///
/// **Source:** TensorFlow Lite, "8-bit quantization specification", and `schema.fbs` for operators and their
/// versions.
struct HeadWriter {
  let head: LinearHead
  /// The number of elements in the embedding.
  let count: Int
  let shape: [Int]
  let embedding: TensorScale?
  var parts: GraphParts

  /// Returns the element type of the head, from its form and the embedding's.
  /// - Throws: `cannotWrite` for a form that does not match the embedding.
  private func form() throws(MetadataError) -> LinearHead.Form {
    let own: LinearHead.Form =
      switch embedding?.kind {
      case nil: .float
      case .int8: .int8
      case .uint8: .uint8
      }
    guard head.form == .auto || head.form == .float || head.form == own else {
      let what = embedding == nil ? "float" : own.rawValue
      throw MetadataError(
        .cannotWrite, "The head has the form \(head.form.rawValue), but the embedding is \(what)",
        remedy: "Use a \(own.rawValue) head\(embedding == nil ? "" : " or a float one")")
    }
    return head.form == .auto ? own : head.form
  }

  /// The tensor of the embedding.
  var features: Int { parts.outputs[0] }

  /// Adds the head; its scores become the output.
  mutating func write() throws(MetadataError) {
    try head.check(count: count)
    let scores =
      switch (try form(), embedding) {
      case (.int8, let embedding?): writeInt8(embedding)
      case (.uint8, let embedding?): writeUInt8(embedding)
      default: writeFloat()
      }
    parts.setEnds(input: parts.inputs[0], output: scores, named: "scores")
  }

  private mutating func writeFloat() -> Int {
    let float = GraphSchema.ElementType.float32
    var input = features
    if let embedding {
      let numbers = parts.add("head/embedding", shape: shape, type: float)
      parts.add(.dequantize, version: embedding.kind == .int8 ? 2 : 1, [input], makes: numbers)
      input = numbers
    }
    let weights = parts.add(
      "head/weights", shape: [head.classCount, count], type: float, content: TensorBytes.of(head.weights))
    let bias = parts.add(
      "head/bias", shape: [head.classCount], type: float, content: TensorBytes.of(head.bias))
    let logits = parts.add("logits", shape: [1, head.classCount], type: float)
    dense([input, weights, bias], version: 1, makes: logits)
    let scores = parts.add("scores", shape: [1, head.classCount], type: float)
    activate(logits, version: 1, makes: scores)
    return scores
  }

  /// Adds a dense layer without activation.
  ///
  /// It accepts both [1, d] and [1, 1, 1, d], as it does not keep dimensions.
  mutating func dense(_ inputs: [Int], version: UInt32, makes output: Int) {
    // FullyConnectedOptions.
    parts.add(.fullyConnected, version: version, inputs, makes: output, options: (8, FlatNode()))
  }

  /// Adds the operator that converts logits to scores.
  mutating func activate(_ logits: Int, version: UInt32, makes scores: Int) {
    guard head.activation == .softmax else {
      parts.add(.logistic, version: version, [logits], makes: scores)
      return
    }
    // SoftmaxOptions with their only field.
    var options = FlatNode()
    options.set(FlatField(0, "options.beta"), .uint32((1 as Float).bitPattern))
    parts.add(.softmax, version: version, [logits], makes: scores, options: (9, options))
  }
}
