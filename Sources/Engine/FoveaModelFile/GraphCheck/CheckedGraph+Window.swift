// SPDX-License-Identifier: Apache-2.0

extension CheckedGraph {
  /// The options of a window that slides over an image.
  private struct Window {
    var isSame: Bool
    /// Width and height, in this order.
    var strides: [Int]
    var dilations = [1, 1]
    var filter = [0, 0]
    var multiplier = 1
  }

  /// Reads the options of a convolution or a pool.
  ///
  /// **Source:** TensorFlow Lite, `schema.fbs`, tables Pool2DOptions, Conv2DOptions and
  /// DepthwiseConv2DOptions.
  /// - Returns: nil if there are none: the runtime's defaults are 0, which its kernels reject.
  private static func options(
    of node: Node, in bytes: Span<UInt8>, _ budget: inout FlatBudget
  ) throws(MetadataError) -> Window? {
    guard let table = try node.table.table(GraphSchema.Operator.options, in: bytes, &budget) else {
      return nil
    }
    func number(_ id: Int, missing: UInt32 = 0) throws(MetadataError) -> Int {
      let field = FlatField(id, "options")
      guard try table.slot(field, size: 4, in: bytes) != nil else { return Int(missing) }
      return Int(Int32(bitPattern: try table.uint32(field, in: bytes)))
    }
    let padding = try table.uint8(FlatField(0, "options.padding"), in: bytes)
    var window = Window(isSame: padding == 0, strides: [try number(1), try number(2)])
    switch node.kind.builtin {
    case .conv2D: window.dilations = [try number(4, missing: 1), try number(5, missing: 1)]
    case .depthwiseConv2D:
      window.multiplier = try number(3)
      window.dilations = [try number(5, missing: 1), try number(6, missing: 1)]
    default: window.filter = [try number(3), try number(4)]
    }
    return window
  }

  /// Returns the output shape of a convolution or a pool.
  ///
  /// **Source:** TensorFlow Lite, `lite/kernels/padding.h`, ComputeOutSize.
  func window(
    _ node: Node, in bytes: Span<UInt8>, _ budget: inout FlatBudget
  ) throws(MetadataError) -> Expectation? {
    let isPlain = node.kind.builtin == .conv2D
    let isDepthwise = node.kind.builtin == .depthwiseConv2D
    guard var window = try Self.options(of: node, in: bytes, &budget), let input = known(node, 0) else {
      return nil
    }
    guard input.count == 4 else { return .impossible("slides over \(input), which is not an image") }
    var channels = input[3]
    if isPlain || isDepthwise {
      guard let weights = known(node, 1) else { return nil }
      guard weights.count == 4 else { return .impossible("has weights of \(weights)") }
      window.filter = [weights[2], weights[1]]
      channels = weights[isPlain ? 0 : 3]
      let fits =
        isPlain
        ? input[3].isMultiple(of: weights[3])
        : weights[0] == 1 && channels.isMultiple(of: input[3])
      guard fits else { return .impossible("has weights of \(weights) for an input of \(input)") }
      if let bias = known(node, 2), bias.reduce(1, *) != channels {
        return .impossible("has a bias of \(bias) for \(channels) channels")
      }
      // The 8-bit kernels copy the bias without checking that there is one.
      if isDepthwise, tensors[node.inputs[1]].isByte, node.inputs.count < 3 || node.inputs[2] < 0 {
        return .impossible("is an 8-bit depthwise convolution without a bias")
      }
    }
    guard (window.strides + window.dilations + window.filter).allSatisfy({ $0 >= 1 && $0 <= Int(UInt16.max) })
    else {
      return .impossible(
        "moves a window of \(window.filter) by \(window.strides), dilated by \(window.dilations)")
    }
    func side(_ size: Int, _ axis: Int) -> Int {
      let extent = (window.filter[axis] - 1) * window.dilations[axis] + 1
      let places = window.isSame ? size : size - extent + 1
      return (max(0, places) + window.strides[axis] - 1) / window.strides[axis]
    }
    return .shape([input[0], side(input[1], 1), side(input[2], 0), channels])
  }
}
