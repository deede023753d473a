// SPDX-License-Identifier: Apache-2.0

/// The directions of the convolutions of a graph: two for images, one for series of numbers.
package struct ConvolutionWindows: Sendable, Hashable {
  /// Whether any window is higher than one row.
  package private(set) var isVertical = false
  /// Whether any window is wider than one column.
  package private(set) var isHorizontal = false
  /// The first window of more than one number; nil if there is none.
  package private(set) var first: Window?

  /// The size of a window, and its steps.
  package struct Window: Sendable, Hashable {
    package let height: Int
    package let width: Int
    package let rowStep: Int
    package let columnStep: Int
  }

  /// Whether there are windows of more than one number, all in the same direction.
  package var isOneSided: Bool { isVertical != isHorizontal }

  /// **Source:** TensorFlow Lite, `schema.fbs`, tables Conv2DOptions and DepthwiseConv2DOptions.
  private static let columnStep = FlatField(1, "options.stride_w")
  private static let rowStep = FlatField(2, "options.stride_h")

  /// Reads the shapes of the weights of the first subgraph's convolutions: [out, height, width, in], or [1,
  /// height, width, out].
  /// - Parameter bytes: The whole model file.
  /// - Returns: The windows; without any for a graph that has no convolutions.
  /// - Throws: `MetadataError` with `notAModel` or `damagedModel`.
  package static func read(_ bytes: Span<UInt8>) throws(MetadataError) -> ConvolutionWindows {
    let root = try ModelFile(bytes).root
    var budget = FlatBudget()
    let kinds = try OperatorKind.all(root, in: bytes, &budget)
    var windows = ConvolutionWindows()
    guard let main = try root.tables(ModelFile.Field.subgraphs, in: bytes, &budget).first else {
      return windows
    }
    let tensors = try main.tables(GraphSchema.Subgraph.tensors, in: bytes, &budget)
    for node in try main.tables(GraphSchema.Subgraph.operators, in: bytes, &budget) {
      let code = Int(try node.uint32(GraphSchema.Operator.code, in: bytes))
      guard kinds.indices.contains(code), [.conv2D, .depthwiseConv2D].contains(kinds[code].builtin) else {
        continue
      }
      let inputs = try node.uint32s(GraphSchema.Operator.inputs, in: bytes, &budget)
      guard inputs.count > 1, Int(inputs[1]) < tensors.count else { continue }
      let shape = try tensors[Int(inputs[1])].uint32s(GraphSchema.Tensor.shape, in: bytes, &budget)
      guard shape.count == 4 else { continue }
      if windows.first == nil, shape[1] > 1 || shape[2] > 1 {
        let options = try node.table(GraphSchema.Operator.options, in: bytes, &budget)
        windows.first = Window(
          height: Int(shape[1]), width: Int(shape[2]),
          rowStep: Int(try options?.uint32(rowStep, in: bytes) ?? 1),
          columnStep: Int(try options?.uint32(columnStep, in: bytes) ?? 1))
      }
      if shape[1] > 1 { windows.isVertical = true }
      if shape[2] > 1 { windows.isHorizontal = true }
    }
    return windows
  }
}
