// SPDX-License-Identifier: Apache-2.0

/// The last operation of a model's graph on an output, which shows whether scores are probabilities or
/// logits.
public enum OutputActivation: Sendable, Hashable {
  /// A sigmoid: each number is a probability by itself.
  case sigmoid
  /// A softmax: the numbers of a row are probabilities that sum up to 1.
  case softmax
  /// A layer without an activation, or its mean: logits, or numbers that are not scores.
  case linear
  /// The mean of a feature map with an activation: features, or scores on another scale.
  case pooled
  /// A vector normalised to unit length: an embedding.
  case unitLength
  /// Another operation: the numbers may be anything.
  case other
}

extension OutputActivation {
  private enum Field {
    static let tensors = FlatField(0, "subgraphs.tensors")
    static let inputs = FlatField(1, "subgraphs.inputs")
    static let outputs = FlatField(2, "subgraphs.outputs")
    static let operators = FlatField(3, "subgraphs.operators")
    static let name = FlatField(3, "tensors.name")
    static let opcodeIndex = FlatField(0, "operators.opcode_index")
    static let nodeInputs = FlatField(1, "operators.inputs")
    static let nodeOutputs = FlatField(2, "operators.outputs")
  }

  /// Operators that move or convert numbers without changing their meaning.
  static let carriers: Set<BuiltinOperator?> = [
    .concatenation, .dequantize, .reshape, .gather, .transpose, .squeeze, .stridedSlice, .cast, .slice,
    .expandDims, .pack, .quantize,
  ]

  /// Traces each output of the first subgraph back to the operator that computed its numbers.
  ///
  /// Operators that only move numbers are skipped. An output joined from parts has an activation if all
  /// computed parts have the same one; constants and the model's own inputs do not count.
  /// - Parameter bytes: The whole model file.
  /// - Returns: The activation of each output, by the tensor's name; names shared by two outputs are omitted.
  /// - Throws: `MetadataError` with `notAModel` or `damagedModel`.
  public static func read(_ bytes: Span<UInt8>) throws(MetadataError) -> [String: OutputActivation] {
    let root = try ModelFile(bytes).root
    var budget = FlatBudget()
    guard let main = try root.tables(ModelFile.Field.subgraphs, in: bytes, &budget).first else { return [:] }
    var kinds: [BuiltinOperator?] = []
    for code in try root.tables(ModelFile.Field.operatorCodes, in: bytes, &budget) {
      kinds.append(BuiltinOperator(rawValue: try code.operatorNumber(in: bytes)))
    }
    var ends = OutputEnds(inputs: Set(try main.uint32s(Field.inputs, in: bytes, &budget)))
    for node in try main.tables(Field.operators, in: bytes, &budget) {
      let index = Int(try node.uint32(Field.opcodeIndex, in: bytes))
      guard index < kinds.count else {
        throw .damaged("an operator has the code \(index), but the model lists \(kinds.count) codes")
      }
      let inputs = try node.uint32s(Field.nodeInputs, in: bytes, &budget)
      let fused = try OutputEnds.fusedActivation(of: node, kinds[index], in: bytes, &budget)
      for output in try node.uint32s(Field.nodeOutputs, in: bytes, &budget) {
        ends.makers[output] = OutputEnds.Maker(kind: kinds[index], inputs: inputs, fused: fused)
      }
    }
    let tensors = try main.tables(Field.tensors, in: bytes, &budget)
    var result: [String: OutputActivation] = [:]
    var shared: Set<String> = []
    for output in try main.uint32s(Field.outputs, in: bytes, &budget) {
      guard Int(output) < tensors.count else {
        throw .damaged("output \(output) is not a tensor: the model has \(tensors.count)")
      }
      let name = try tensors[Int(output)].string(Field.name, in: bytes, &budget) ?? ""
      if result[name] != nil { shared.insert(name) }
      result[name] = activation(of: output, ends)
    }
    for name in shared { result[name] = nil }
    return result
  }

  private static func activation(of output: UInt32, _ ends: OutputEnds) -> OutputActivation {
    var found: OutputActivation?
    var open = [output]
    var seen: Set<UInt32> = [output]
    while let tensor = open.popLast() {
      guard let maker = ends.makers[tensor] else { continue }
      if carriers.contains(maker.kind) {
        for input in maker.inputs where seen.insert(input).inserted { open.append(input) }
        continue
      }
      let activation = ends.end(of: tensor)
      if activation == .other { return .other }
      if let found, found != activation { return .other }
      found = activation
    }
    return found ?? .other
  }
}
