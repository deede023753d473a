// SPDX-License-Identifier: Apache-2.0

/// The scales of 8-bit and 4-bit filters on float inputs, of which LiteRT's kernels read one per output
/// channel without checking their number.
///
/// The kernel of DEPTHWISE_CONV_2D compares the number of scales with the filter dimension that the
/// quantisation names. If that dimension has size 1, as the first one of every depthwise filter does, one
/// scale passes the check, and the kernel reads past the end of the list. TRANSPOSE_CONV's plain kernel does
/// the same. FULLY_CONNECTED accepts one scale for all, but reads past the end of several that are along a
/// dimension other than the first.
///
/// **Source:** TensorFlow Lite, `lite/kernels/depthwise_conv.cc` (Prepare, EvalHybridPerChannel),
/// `lite/kernels/transpose_conv.cc`, `lite/kernels/fully_connected.cc`; Ultralytics' exporter 8.3.21 to
/// 8.3.162 writes such depthwise filters.
enum ChannelScales {
  /// The maximum number of channels whose scales are written; known models have a few thousand.
  private static let maximumChannels = 1 << 18

  private struct Rule {
    let filter: Int
    let input: Int
    let dimension: Int
    let takesOne: Bool

    init?(_ kind: BuiltinOperator?) {
      switch kind {
      case .depthwiseConv2D: (filter, input, dimension, takesOne) = (1, 0, 3, false)
      case .fullyConnected: (filter, input, dimension, takesOne) = (1, 0, 0, true)
      case .transposeConv: (filter, input, dimension, takesOne) = (1, 2, 0, false)
      default: return nil
      }
    }
  }

  /// Checks the filters of a graph, and repeats a single scale for each channel.
  /// - Throws: `damagedModel` for several scales along the wrong dimension.
  static func repair(
    _ graph: CheckedGraph, _ patch: inout ModelPatch, in bytes: Span<UInt8>
  ) throws(MetadataError) {
    var repaired: Set<Int> = []
    var channels = 0
    for (position, node) in graph.nodes.enumerated() {
      guard let rule = Rule(node.kind.builtin), node.inputs.count > max(rule.filter, rule.input),
        graph.tensors[node.inputs[rule.input]].type == GraphSchema.ElementType.float32
      else { continue }
      let filter = graph.tensors[node.inputs[rule.filter]]
      guard let scales = filter.scales, filter.type != GraphSchema.ElementType.float32,
        filter.shape.indices.contains(rule.dimension)
      else { continue }
      let count = max(1, filter.shape[rule.dimension])
      guard scales.count == 1 else {
        guard scales.dimension == rule.dimension, scales.count == count else {
          throw .damaged(
            "operator \(position) has \(scales.count) scales along dimension \(scales.dimension) of its "
              + "weights \(filter.shape), expected \(count) along dimension \(rule.dimension)")
        }
        continue
      }
      let side = filter.shape.indices.contains(scales.dimension) ? filter.shape[scales.dimension] : 0
      guard !rule.takesOne, count > 1 || side != 1, repaired.insert(node.inputs[rule.filter]).inserted else {
        continue
      }
      channels += count
      guard filter.isConstant, channels <= maximumChannels else {
        throw .damaged("operator \(position) has one scale for the \(count) channels of its weights")
      }
      let table = patch.append(
        QuantizationTable.bytes(
          scale: scales.first, zeroPoint: scales.firstZeroPoint, count: count, dimension: rule.dimension))
      patch.store(UInt32(truncatingIfNeeded: table + QuantizationTable.start - scales.slot), at: scales.slot)
    }
    guard !repaired.isEmpty else { return }
    let what = repaired.count == 1 ? "a filter has" : "\(repaired.count) filters have"
    patch.repairs.append(
      ModelRepair(
        .scaleRepeated,
        "\(what) one scale for all channels, but LiteRT reads one per channel: it is repeated for each"))
  }
}
