// SPDX-License-Identifier: Apache-2.0

/// The operators of a graph, traversed backwards from an output to the origin of its numbers.
///
/// **Source:** TensorFlow Lite, `schema.fbs`, enum BuiltinOperator, and the option tables that it names.
struct OutputEnds {
  /// The operator that computes a tensor.
  struct Maker {
    var code: UInt32
    var inputs: [UInt32]
    /// The fused activation of the operator; 0 for none.
    var fused: UInt8
  }

  /// The model's own inputs, which are not constants.
  let inputs: Set<UInt32>
  /// The operator of each computed tensor.
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
    /// MAXIMUM, MINIMUM, BROADCAST_TO: guards against a division by zero, and repetition.
    static let guards: Set<UInt32> = [55, 57, 130]
  }

  /// Returns the number of the options field for the fused activation; nil for operators without one.
  private static func fusedField(_ code: UInt32) -> Int? {
    switch code {
    case Operator.add, Operator.multiply, Operator.subtract, Operator.divide, Operator.fullyConnected: 0
    case Operator.convolution: 3
    case Operator.depthwise: 4
    case Operator.averagePool: 5
    default: nil
    }
  }

  /// Returns the fused activation of an operator; 0 if it has none.
  static func fusedActivation(
    of node: FlatTable, code: UInt32, in bytes: Span<UInt8>, _ budget: inout FlatBudget
  ) throws(MetadataError) -> UInt8 {
    guard let field = fusedField(code),
      let options = try node.table(GraphSchema.Operator.options, in: bytes, &budget)
    else { return 0 }
    return try options.uint8(FlatField(field, "options.fused_activation_function"), in: bytes)
  }

  /// Returns the activation of a tensor by the operators that computed it.
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
    // The softmax of the logarithm of a softmax is that softmax, so these work as logits.
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

  /// Returns the activation of a sum, difference, product or quotient.
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
      // e^x ÷ Σ e^x, and 1 ÷ (1 + e^−x), written out.
      if leads(second, to: Operator.exponential) {
        return leads(first, to: Operator.exponential) ? .softmax : isConstant(first) ? .sigmoid : .other
      }
    }
    let computed = maker.inputs.filter { !isConstant($0) }
    let isLinear = computed.allSatisfy { end(of: $0, steps: steps - 1 - computed.count) == .linear }
    // A bias or a common factor: still logits.
    guard !computed.isEmpty, isLinear else { return .other }
    return computed.count == 1 || maker.code == Operator.add ? .linear : .other
  }

  /// Returns whether an operator with that code is close before a tensor, skipping sums and operators that
  /// only move numbers.
  private func leads(_ tensor: UInt32, to code: UInt32) -> Bool {
    var open = [(tensor: tensor, steps: 6)]
    while let (tensor, steps) = open.popLast() {
      guard steps > 0, let maker = makers[tensor] else { continue }
      if maker.code == code { return true }
      let isPassed =
        OutputActivation.carriers.contains(maker.code) || Operator.guards.contains(maker.code)
        || maker.code == Operator.sum || maker.code == Operator.add
      // Six steps with at most two branches each.
      if isPassed { for input in maker.inputs.prefix(2) { open.append((input, steps - 1)) } }
    }
    return false
  }

  /// Returns whether a tensor's numbers are in the file, directly or converted.
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
