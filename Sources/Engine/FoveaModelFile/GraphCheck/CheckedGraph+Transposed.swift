// SPDX-License-Identifier: Apache-2.0

extension CheckedGraph {
  /// The maximum stride of a transposed convolution: memory is allocated for each step, reached or not.
  ///
  /// Known models have up to 32.
  private static let maximumStride = 256

  /// Verifies the strides of TRANSPOSE_CONV, and returns the shape given by its first input; nil if that is
  /// computed.
  ///
  /// XNNPACK divides by the strides, and prepares a separate convolution for each step within one.
  ///
  /// **Source:** TensorFlow Lite, `schema.fbs`, table TransposeConvOptions; `lite/kernels/padding.h`,
  /// ComputeOutSize, inverted: the last window starts inside the output.
  func transposed(
    _ node: Node, makes shape: [Int]?, in bytes: Span<UInt8>, _ budget: inout FlatBudget
  ) throws(MetadataError) -> Expectation? {
    var strides = [0, 0]
    if let table = try node.table.table(GraphSchema.Operator.options, in: bytes, &budget) {
      for (axis, id) in [2, 1].enumerated() {
        strides[axis] = Int(Int32(bitPattern: try table.uint32(FlatField(id, "options.stride"), in: bytes)))
      }
    }
    guard strides.allSatisfy({ (1...Self.maximumStride).contains($0) }) else {
      return .impossible("moves a transposed window by \(strides), expected 1…\(Self.maximumStride)")
    }
    guard let shape else { return nil }
    guard shape.count == 4 else { return .impossible("makes \(shape), which is not an image") }
    if let input = known(node, 2) {
      guard input.count == 4, (0..<2).allSatisfy({ (input[$0 + 1] - 1) * strides[$0] < shape[$0 + 1] }) else {
        return .impossible("spreads \(input) by \(strides) over \(shape)")
      }
      if let weights = known(node, 1) {
        guard weights.count == 4, weights[0] == shape[3], weights[3] == input[3] else {
          return .impossible("has weights of \(weights) to make \(shape) from \(input)")
        }
      }
    }
    return .shape(shape)
  }
}
