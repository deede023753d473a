// SPDX-License-Identifier: Apache-2.0

/// The operators of a graph, walked backwards from an output to what made its numbers.
///
/// **Source:** TensorFlow Lite, `schema.fbs`, enum BuiltinOperator, and the option tables that it names.
struct OutputEnds {
  /// What makes a tensor.
  struct Maker {
    var code: UInt32
    var inputs: [UInt32]
    /// The activation inside the operator, 0 for none.
    var fused: UInt8
  }

  /// The model's own inputs, which are no constants.
  let inputs: Set<UInt32>
  /// What makes each tensor that is computed.
  var makers: [UInt32: Maker] = [:]

  init(inputs: Set<UInt32>) { self.inputs = inputs }

  private enum Operator {
    static let (add, averagePool, convolution, depthwise): (UInt32, UInt32, UInt32, UInt32) = (0, 1, 3, 4)
    static let (fullyConnected, unitLength, logistic, multiply): (UInt32, UInt32, UInt32, UInt32) = (
      9, 11, 14, 18
    )
    static let (softmax, mean, subtract, divide): (UInt32, UInt32, UInt32, UInt32) = (25, 40, 41, 42)
    static let (exponential, logSoftmax, sum): (UInt32, UInt32, UInt32) = (47, 50, 74)
    static let (squareRoot, reciprocalRoot, batchProduct): (UInt32, UInt32, UInt32) = (75, 76, 126)
    /// MAXIMUM, MINIMUM, BROADCAST_TO: what keeps a division from zero, and what repeats a number.
    static let guards: Set<UInt32> = [55, 57, 130]
  }

  /// The number of the field with the fused activation in an operator's options; nil for operators that have none.
  private static func fusedField(_ code: UInt32) -> Int? {
    switch code {
    case Operator.add, Operator.multiply, Operator.subtract, Operator.divide, Operator.fullyConnected: 0
    case Operator.convolution: 3
    case Operator.depthwise: 4
    case Operator.averagePool: 5
    default: nil
    }
  }

  /// The activation inside an operator, 0 where it has none.
  static func fusedActivation(
    of node: FlatTable, code: UInt32, in bytes: Span<UInt8>, _ budget: inout FlatBudget
  ) throws(MetadataError) -> UInt8 {
    guard let field = fusedField(code),
      let options = try node.table(GraphSchema.Operator.options, in: bytes, &budget)
    else { return 0 }
    return try options.uint8(FlatField(field, "options.fused_activation_function"), in: bytes)
  }

  /// What the numbers of a tensor are by the operators that made them.
  func end(of tensor: UInt32) -> OutputActivation { end(of: tensor, steps: 16) }

  private func end(of tensor: UInt32, steps: Int) -> OutputActivation {
    guard steps > 0, let maker = makers[tensor] else { return .other }
    if OutputActivation.carriers.contains(maker.code) {
      let computed = maker.inputs.filter { !isConstant($0) }
      return computed.count == 1 ? end(of: computed[0], steps: steps - 1) : .other
    }
    guard maker.fused == 0 else { return .other }
    switch maker.code {
    case Operator.logistic: return .sigmoid
    case Operator.softmax: return .softmax
    case Operator.unitLength: return .unitLength
    // The softmax of the logarithms of a softmax is that softmax: they are as good as logits.
    case Operator.logSoftmax: return .linear
    case Operator.fullyConnected, Operator.convolution, Operator.depthwise, Operator.batchProduct:
      return .linear
    case Operator.mean, Operator.averagePool:
      return maker.inputs.first.map { end(of: $0, steps: steps - 1) } == .linear ? .linear : .pooled
    case Operator.add, Operator.subtract, Operator.multiply, Operator.divide:
      return combined(maker, steps: steps)
    default: return .other
    }
  }

  /// What a sum, difference, product or quotient is.
  private func combined(_ maker: Maker, steps: Int) -> OutputActivation {
    guard maker.inputs.count == 2 else { return .other }
    let (first, second) = (maker.inputs[0], maker.inputs[1])
    if maker.code == Operator.multiply,
      maker.inputs.contains(where: { leads($0, to: Operator.reciprocalRoot) })
    {
      return .unitLength
    }
    if maker.code == Operator.divide {
      if leads(second, to: Operator.squareRoot) { return .unitLength }
      // e^x ÷ Σ e^x, and 1 ÷ (1 + e^−x): written out.
      if leads(second, to: Operator.exponential) {
        return leads(first, to: Operator.exponential) ? .softmax : isConstant(first) ? .sigmoid : .other
      }
    }
    let computed = maker.inputs.filter { !isConstant($0) }
    let isLinear = computed.allSatisfy { end(of: $0, steps: steps - 1 - computed.count) == .linear }
    // A bias, or a factor of all: still logits.
    guard !computed.isEmpty, isLinear else { return .other }
    return computed.count == 1 || maker.code == Operator.add ? .linear : .other
  }

  /// Whether an operator of a kind stands shortly before a tensor, behind sums and what only moves numbers.
  private func leads(_ tensor: UInt32, to code: UInt32) -> Bool {
    var open = [(tensor: tensor, steps: 6)]
    while let (tensor, steps) = open.popLast() {
      guard steps > 0, let maker = makers[tensor] else { continue }
      if maker.code == code { return true }
      let isPassed =
        OutputActivation.carriers.contains(maker.code) || Operator.guards.contains(maker.code)
        || maker.code == Operator.sum || maker.code == Operator.add
      // Six steps of at most two ways each.
      if isPassed { for input in maker.inputs.prefix(2) { open.append((input, steps - 1)) } }
    }
    return false
  }

  /// Whether a tensor's numbers are in the file, as they are or converted.
  private func isConstant(_ tensor: UInt32) -> Bool {
    var tensor = tensor
    for _ in 0..<4 {
      guard let maker = makers[tensor] else { return !inputs.contains(tensor) }
      guard OutputActivation.carriers.contains(maker.code), maker.inputs.count == 1 else { return false }
      tensor = maker.inputs[0]
    }
    return false
  }
}
