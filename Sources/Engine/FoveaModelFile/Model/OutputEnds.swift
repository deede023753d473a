// SPDX-License-Identifier: Apache-2.0

/// The operators of a graph, traversed backwards from an output to the origin of its numbers.
///
/// **Source:** TensorFlow Lite, `schema.fbs`, the option tables of the operators.
struct OutputEnds {
  /// The operator that computes a tensor.
  struct Maker {
    var kind: BuiltinOperator?
    var inputs: [UInt32]
    /// The fused activation of the operator; 0 for none.
    var fused: UInt8
  }

  /// The model's own inputs, which are not constants.
  let inputs: Set<UInt32>
  /// The operator of each computed tensor.
  var makers: [UInt32: Maker] = [:]

  init(inputs: Set<UInt32>) { self.inputs = inputs }

  /// Guards against a division by zero, and repetition.
  private static let guards: Set<BuiltinOperator?> = [.maximum, .minimum, .broadcastTo]

  /// Returns the options field of the fused activation; nil for operators without one.
  static func fusedField(_ kind: BuiltinOperator?) -> FlatField? {
    let place: Int? =
      switch kind {
      case .add, .mul, .sub, .div, .fullyConnected: 0
      case .conv2D: 3
      case .depthwiseConv2D: 4
      case .averagePool2D: 5
      default: nil
      }
    return place.map { FlatField($0, "options.fused_activation_function") }
  }

  /// Returns the fused activation of an operator; 0 if it has none.
  static func fusedActivation(
    of node: FlatTable, _ kind: BuiltinOperator?, in bytes: Span<UInt8>, _ budget: inout FlatBudget
  ) throws(MetadataError) -> UInt8 {
    guard let field = fusedField(kind),
      let options = try node.table(GraphSchema.Operator.options, in: bytes, &budget)
    else { return 0 }
    return try options.uint8(field, in: bytes)
  }

  /// Returns the activation of a tensor by the operators that computed it.
  func end(of tensor: UInt32) -> OutputActivation { end(of: tensor, steps: 16) }

  private func end(of tensor: UInt32, steps: Int) -> OutputActivation {
    guard steps > 0, let maker = makers[tensor] else { return .other }
    if OutputActivation.carriers.contains(maker.kind) {
      let computed = maker.inputs.filter { !isConstant($0) }
      return computed.count == 1 ? end(of: computed[0], steps: steps - 1) : .other
    }
    guard maker.fused == 0 else { return .other }
    switch maker.kind {
    case .logistic: return .sigmoid
    case .softmax: return .softmax
    case .l2Normalization: return .unitLength
    // The softmax of the logarithm of a softmax is that softmax, so these work as logits.
    case .logSoftmax: return .linear
    case .fullyConnected, .conv2D, .depthwiseConv2D, .batchMatmul:
      return .linear
    case .mean, .averagePool2D:
      return maker.inputs.first.map { end(of: $0, steps: steps - 1) } == .linear ? .linear : .pooled
    case .add, .sub, .mul, .div:
      return combined(maker, steps: steps)
    default: return .other
    }
  }

  /// Returns the activation of a sum, difference, product or quotient.
  private func combined(_ maker: Maker, steps: Int) -> OutputActivation {
    guard maker.inputs.count == 2 else { return .other }
    let (first, second) = (maker.inputs[0], maker.inputs[1])
    if maker.kind == .mul,
      maker.inputs.contains(where: { leads($0, to: .rsqrt) })
    {
      return .unitLength
    }
    if maker.kind == .div {
      if leads(second, to: .sqrt) { return .unitLength }
      // e^x ÷ Σ e^x, and 1 ÷ (1 + e^−x), written out.
      if leads(second, to: .exp) {
        return leads(first, to: .exp) ? .softmax : isConstant(first) ? .sigmoid : .other
      }
    }
    let computed = maker.inputs.filter { !isConstant($0) }
    let isLinear = computed.allSatisfy { end(of: $0, steps: steps - 1 - computed.count) == .linear }
    // A bias or a common factor: still logits.
    guard !computed.isEmpty, isLinear else { return .other }
    return computed.count == 1 || maker.kind == .add ? .linear : .other
  }

  /// Returns whether an operator of that kind is close before a tensor, skipping sums and operators that
  /// only move numbers.
  private func leads(_ tensor: UInt32, to kind: BuiltinOperator) -> Bool {
    var open = [(tensor: tensor, steps: 6)]
    while let (tensor, steps) = open.popLast() {
      guard steps > 0, let maker = makers[tensor] else { continue }
      if maker.kind == kind { return true }
      let isPassed =
        OutputActivation.carriers.contains(maker.kind) || Self.guards.contains(maker.kind)
        || maker.kind == .sum || maker.kind == .add
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
      guard OutputActivation.carriers.contains(maker.kind), maker.inputs.count == 1 else { return false }
      tensor = maker.inputs[0]
    }
    return false
  }
}
