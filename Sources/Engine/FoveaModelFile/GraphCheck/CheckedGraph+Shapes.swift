// SPDX-License-Identifier: Apache-2.0

extension CheckedGraph {
  /// Verifies that the declared shapes of outputs are those that the operators produce.
  ///
  /// The runtime recomputes the shapes from the model's input: one damaged size of the input, or one damaged
  /// number that a size depends on, enlarges all later tensors, regardless of the sizes that the file
  /// declares for them. Only operators that enlarge or pass on their input, with fully declared shapes, are
  /// checked.
  ///
  /// **Source:** TensorFlow Lite, the `Prepare` functions of `lite/kernels`.
  func checkShapes(in bytes: Span<UInt8>, _ budget: inout FlatBudget) throws(MetadataError) {
    for (position, node) in nodes.enumerated() {
      guard let first = node.outputs.first, let expected = try shape(of: node, in: bytes, &budget) else {
        continue
      }
      if case .impossible(let reason) = expected { throw .damaged("operator \(position) \(reason)") }
      let output = tensors[first]
      guard output.byteCount != nil, !output.shape.isEmpty else { continue }
      switch expected {
      case .shape(let shape) where shape != output.shape:
        throw .damaged("operator \(position) makes \(shape), but its output is declared as \(output.shape)")
      case .count(let count) where count != output.elementCount:
        throw .damaged(
          "operator \(position) makes \(count) numbers, but its output is declared as \(output.shape)")
      default: break
      }
    }
  }

  enum Expectation {
    case shape([Int])
    case count(Int)
    case impossible(String)
  }

  /// Returns the output of an operator; nil if it is not checked, or depends on values known only during a
  /// run.
  private func shape(
    of node: Node, in bytes: Span<UInt8>, _ budget: inout FlatBudget
  ) throws(MetadataError) -> Expectation? {
    switch node.kind.builtin {
    case .averagePool2D, .conv2D, .depthwiseConv2D, .maxPool2D: return try window(node, in: bytes, &budget)
    case .concatenation:
      let parts = node.inputs.map { known($0).map { $0.reduce(1, *) } }
      return parts.contains(nil) ? nil : .count(parts.reduce(0) { $0 + ($1 ?? 0) })
    case let kind where Self.sameCount.contains(kind): return known(node, 0).map { .count($0.reduce(1, *)) }
    case let kind where Self.elementwise.contains(kind): return broadcast(node)
    case .fullyConnected:
      guard let input = known(node, 0)?.reduce(1, *), let weights = known(node, 1), weights.count == 2 else {
        return nil
      }
      guard input.isMultiple(of: weights[1]) else {
        return .impossible("takes \(input) numbers in rows of \(weights[1])")
      }
      return .count(input / weights[1] * weights[0])
    case .resizeBilinear, .resizeNearestNeighbor:
      guard let input = known(node, 0), input.count == 4, let size = numbers(node, 1, in: bytes),
        size.count == 2
      else { return nil }
      return .shape([input[0], size[0], size[1], input[3]])
    // The shape is the first input of TRANSPOSE_CONV and FILL, and the last of BROADCAST_TO.
    case .transposeConv: return try transposed(node, makes: numbers(node, 0, in: bytes), in: bytes, &budget)
    case .fill: return numbers(node, 0, in: bytes).map { .shape($0) }
    case .broadcastTo: return numbers(node, 1, in: bytes).map { .shape($0) }
    case .pad, .padV2, .mirrorPad:
      guard let input = known(node, 0), let pads = numbers(node, 1, in: bytes), pads.count == 2 * input.count
      else { return nil }
      guard pads.allSatisfy({ $0 >= 0 }) else { return .impossible("pads by \(pads)") }
      return .shape(input.indices.map { input[$0] + pads[2 * $0] + pads[2 * $0 + 1] })
    case .tile:
      guard let input = known(node, 0), let times = numbers(node, 1, in: bytes), times.count == input.count
      else { return nil }
      return .shape(zip(input, times).map { $0.multipliedReportingOverflow(by: $1).partialValue })
    default: return nil
    }
  }

  /// The operators whose output has as many numbers as their first input.
  private static let sameCount: Set<BuiltinOperator?> = [
    .depthToSpace, .dequantize, .floor, .l2Normalization, .logistic, .relu, .reluN1To1, .relu6, .reshape,
    .softmax, .spaceToDepth, .tanh, .transpose, .squeeze, .exp, .logSoftmax, .cast, .prelu, .neg, .sin,
    .expandDims, .log, .sqrt, .rsqrt, .square, .leakyRelu, .abs, .ceil, .reverseV2, .cos, .elu, .quantize,
    .round, .hardSwish, .densify, .gelu,
  ]

  /// The operators on pairs of numbers.
  private static let elementwise: Set<BuiltinOperator?> = [
    .add, .mul, .sub, .div, .maximum, .minimum, .pow, .squaredDifference,
  ]

  /// Returns the shape of a tensor if it is fully declared and not empty.
  func known(_ tensor: Int) -> [Int]? {
    guard tensor >= 0, tensors[tensor].byteCount ?? 0 > 0, !tensors[tensor].shape.isEmpty else { return nil }
    return tensors[tensor].shape
  }

  func known(_ node: Node, _ place: Int) -> [Int]? {
    node.inputs.indices.contains(place) ? known(node.inputs[place]) : nil
  }

  /// Returns the numbers of a small int32 constant.
  private func numbers(_ node: Node, _ place: Int, in bytes: Span<UInt8>) -> [Int]? {
    guard node.inputs.indices.contains(place), node.inputs[place] >= 0 else { return nil }
    let tensor = tensors[node.inputs[place]]
    guard tensor.type == GraphSchema.ElementType.int32, let count = tensor.elementCount,
      (1...16).contains(count),
      let data = tensor.data, data.count >= 4 * count
    else { return nil }
    return (0..<count).compactMap { index in
      (try? bytes.uint32(at: data.start + 4 * index, "a constant")).map { Int(Int32(bitPattern: $0)) }
    }
  }

  private func broadcast(_ node: Node) -> Expectation? {
    guard node.inputs.count == 2, let left = known(node, 0), let right = known(node, 1) else { return nil }
    let rank = max(left.count, right.count)
    var shape: [Int] = []
    for index in 0..<rank {
      let (a, b) = (index + left.count - rank, index + right.count - rank)
      let (first, second) = (a < 0 ? 1 : left[a], b < 0 ? 1 : right[b])
      guard first == second || first == 1 || second == 1 else {
        return .impossible("joins \(left) with \(right)")
      }
      shape.append(max(first, second))
    }
    return .shape(shape)
  }
}
