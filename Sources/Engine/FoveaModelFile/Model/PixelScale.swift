// SPDX-License-Identifier: Apache-2.0

/// The range of pixel values that a float input expects, as far as the start of the graph shows it.
///
/// Keras models often start with a `Rescaling` layer, and quantised ones with an operator that has the range
/// of its calibration images.
package enum PixelScale: Sendable, Hashable {
  /// 0 to 255: the graph rescales the values itself.
  case bytes
  /// 0 to 1.
  case unit
  /// −1 to 1.
  case signed

  /// The largest factor that indicates inputs of 0…255; the largest in use is 1/53 (the deviation of
  /// ImageNet's pixels), and the smallest applied to inputs of 0…1 is 1.
  private static let largestFactor: Float = 1 / 32
  /// The smallest subtracted number that indicates inputs of 0…255; pixel means are 104 to 128.
  private static let leastMean: Float = 16
  /// The largest sum of absolute weights of an output of the first layer that indicates inputs of 0…255.
  ///
  /// Inputs of −1…1 would produce outputs no larger than this. Sums after training are 1 to 10, or 0.004 to
  /// 0.04 if multiplied by 1/255.
  private static let largestFoldedSum: Float = 0.06

  /// Follows the first input of the first subgraph to the first operator that shows the range.
  /// - Parameter bytes: The whole model file.
  /// - Returns: nil if the graph does not show it.
  /// - Throws: `MetadataError` with `notAModel` or `damagedModel`.
  package static func read(_ bytes: Span<UInt8>) throws(MetadataError) -> PixelScale? {
    guard var graph = try GraphBeginning(bytes), var tensor = graph.inputs.first else { return nil }
    // Preprocessing is a handful of operators.
    for _ in 0..<12 {
      guard let node = graph.onlyReader(of: tensor), let output = node.outputs.first else { return nil }
      let other = node.inputs.first { $0 != tensor }
      switch node.kind {
      case .mul, .div, .add, .sub:
        // A constant divided by the image, or minus the image, is not preprocessing.
        guard let other, node.inputs.first == tensor || [.add, .mul].contains(node.kind),
          let value = try graph.largestValue(of: other, in: bytes)
        else { return nil }
        switch node.kind {
        case .mul where value > 0 && value <= largestFactor: return .bytes
        case .div where value >= 1 / largestFactor: return .bytes
        case .add where value >= leastMean, .sub where value >= leastMean: return .bytes
        case .mul, .div:
          // The values are rescaled, so the rest of the graph shows nothing about the input.
          return nil
        default: break
        }
      case .quantize: return try scale(ofRange: graph.range(of: output, in: bytes))
      case .conv2D, .depthwiseConv2D:
        guard node.inputs.count > 1, node.inputs[0] == tensor,
          let sum = try graph.largestKernelSum(
            of: node.inputs[1], channelDimension: node.kind == .conv2D ? 0 : 3, in: bytes)
        else { return nil }
        return sum > 0 && sum <= largestFoldedSum ? .bytes : nil
      case let kind where carriers.contains(kind): break
      default: return nil
      }
      tensor = output
    }
    return nil
  }

  /// Returns the scale whose values fill the range of a quantised tensor; nil if there is none.
  private static func scale(ofRange range: ClosedRange<Float>?) -> PixelScale? {
    guard let range else { return nil }
    let (low, high) = (range.lowerBound, range.upperBound)
    if abs(low) <= 8, (200...264).contains(high) { return .bytes }
    if abs(low) <= 0.03, (0.8...1.03).contains(high) { return .unit }
    if (-1.03 ... -0.8).contains(low), (0.8...1.03).contains(high) { return .signed }
    return nil
  }

  /// Operators that do not change values.
  private static let carriers: Set<BuiltinOperator?> = [
    .concatenation, .reshape, .pad, .transpose, .cast, .padV2, .pack, .reverseV2,
  ]
}
