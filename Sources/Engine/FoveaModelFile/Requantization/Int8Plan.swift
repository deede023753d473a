// SPDX-License-Identifier: Apache-2.0

/// The plan for converting tensors of a graph to int8.
struct Int8Plan {
  /// Whether each tensor becomes int8.
  let isConverted: [Bool]
  let weights: [WeightConversion]
  /// The constants other than weights, which are shifted by 128.
  let shiftedConstants: [Int]
  /// The indices into `weights` by weight and bias tensor, as a malicious file may have very many.
  private let byWeights: [Int: Int]
  private let byBias: [Int: Int]

  /// The maximum number of weights per channel: rounding a channel takes some 50 bytes for each.
  ///
  /// Known models have up to 25,088.
  private static let maximumWeightsPerChannel = 1 << 20

  /// Plans the rewrite; returns nil if it would break a rule of the int8 operators.
  init?(_ graph: QuantizedGraph, in bytes: Span<UInt8>) {
    let tensors = graph.tensors
    var readers = [Int](repeating: 0, count: tensors.count)
    var customReaders = readers
    var bufferUsers: [Int: Int] = [:]
    for tensor in tensors { bufferUsers[tensor.buffer, default: 0] += 1 }
    for node in graph.nodes {
      for input in node.inputs where input >= 0 {
        readers[input] += 1
        if node.kind == .custom { customReaders[input] += 1 }
      }
    }
    var weights: [WeightConversion] = []
    var isWeight = [Bool](repeating: false, count: tensors.count)
    for node in graph.nodes where node.isQuantized {
      guard Self.keepsInt8Rules(node, tensors) else { return nil }
      guard let kind = node.kind, kind.hasWeights else { continue }
      guard let conversion = Self.conversion(of: node, kind, tensors, in: bytes) else { return nil }
      // Weights and bias are replaced in place, so no other operator may read them.
      for constant in [conversion.tensor] + [conversion.bias].compactMap({ $0 }) {
        guard readers[constant] == 1, bufferUsers[tensors[constant].buffer] == 1 else { return nil }
        isWeight[constant] = true
      }
      weights.append(conversion)
    }
    guard !weights.isEmpty else { return nil }
    var isConverted = [Bool](repeating: false, count: tensors.count)
    var shifted: [Int] = []
    for (index, tensor) in tensors.enumerated() {
      guard tensor.type != GraphSchema.ElementType.int8 else { return nil }
      guard tensor.isUInt8 else { continue }
      let isConstant = tensor.constant != nil
      if isConstant, readers[index] == customReaders[index] { continue }
      isConverted[index] = true
      if isConstant, !isWeight[index] {
        guard customReaders[index] == 0, bufferUsers[tensor.buffer] == 1 else { return nil }
        shifted.append(index)
      }
    }
    self.isConverted = isConverted
    self.weights = weights
    shiftedConstants = shifted
    byWeights = Dictionary(zip(weights.map(\.tensor), weights.indices)) { first, _ in first }
    byBias = Dictionary(weights.indices.compactMap { index in weights[index].bias.map { ($0, index) } }) {
      first, _ in first
    }
  }

  /// Returns the conversion of the weights in a tensor; nil for other tensors.
  func conversion(ofWeights tensor: Int) -> WeightConversion? { byWeights[tensor].map { weights[$0] } }

  /// Returns the conversion of the weights for a bias tensor; nil for other tensors.
  func conversion(ofBias tensor: Int) -> WeightConversion? { byBias[tensor].map { weights[$0] } }

  /// Returns whether the int8 form of an operator computes the same: some operators have fixed scales, others
  /// need equal scales.
  private static func keepsInt8Rules(_ node: QuantizedGraph.Node, _ tensors: [QuantizedGraph.Tensor]) -> Bool
  {
    guard let first = node.outputs.first else { return false }
    let output = tensors[first]
    if node.kind == .custom { return node.outputs.allSatisfy { !tensors[$0].isUInt8 } }
    // Int8 converts to floats just like uint8.
    if node.kind == .dequantize { return output.type == GraphSchema.ElementType.float32 }
    guard node.outputs.allSatisfy({ tensors[$0].isUInt8 && tensors[$0].constant == nil }) else {
      return false
    }
    switch node.kind {
    case .logistic, .softmax: return output.scale == 1 / 256 && output.zeroPoint == 0
    case .averagePool2D, .split, .resizeNearestNeighbor:
      return node.inputs.allSatisfy {
        $0 >= 0 && (!tensors[$0].isUInt8 || tensors[$0].hasScale(of: output))
      }
    default: return true
    }
  }

  private static func conversion(
    of node: QuantizedGraph.Node, _ kind: BuiltinOperator, _ tensors: [QuantizedGraph.Tensor],
    in bytes: Span<UInt8>
  ) -> WeightConversion? {
    guard node.inputs.count >= 2, node.inputs.count <= 3, node.inputs[0] >= 0, node.inputs[1] >= 0 else {
      return nil
    }
    let input = tensors[node.inputs[0]]
    let weights = tensors[node.inputs[1]]
    let dimension = kind.channelDimension
    guard input.isUInt8, weights.isUInt8, let constant = weights.constant,
      weights.shape.count == (kind == .fullyConnected ? 2 : 4), weights.shape.allSatisfy({ $0 > 0 }),
      weights.shape.reduce(1, { $0.multipliedReportingOverflow(by: $1).partialValue }) == constant.count
    else { return nil }
    let channels = weights.shape[dimension]
    guard constant.count / channels <= Self.maximumWeightsPerChannel else { return nil }
    var bias: Int?
    if node.inputs.count == 3, node.inputs[2] >= 0 {
      let tensor = tensors[node.inputs[2]]
      guard tensor.type == GraphSchema.ElementType.int32, tensor.constant?.count == 4 * channels else {
        return nil
      }
      bias = node.inputs[2]
    }
    let isChannelMajor = dimension == 0
    return WeightConversion(
      tensor: node.inputs[1], bias: bias, input: node.inputs[0], isChannelMajor: isChannelMajor,
      factors: WeightConversion.factors(
        of: constant, zeroPoint: weights.zeroPoint, channelCount: channels, isChannelMajor: isChannelMajor,
        in: bytes))
  }
}

extension QuantizedGraph.Tensor {
  /// Returns whether equal numbers in both tensors represent the same values.
  func hasScale(of other: Self) -> Bool { scale == other.scale && zeroPoint == other.zeroPoint }
}
