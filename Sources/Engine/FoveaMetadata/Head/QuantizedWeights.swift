// SPDX-License-Identifier: Apache-2.0

/// The weights and bias of a head as integers.
struct QuantizedWeights {
  /// The weights row by row; int8 as bit patterns.
  var weights: [UInt8]
  var bias: [Int32]
  /// One scale per row, or one for all.
  var scales: [Float]
  var zeroPoint = 0

  /// Quantises to int8 with a scale per class, and zero points of 0.
  static func rows(
    _ head: LinearHead, count: Int, input: TensorScale, output: TensorScale
  ) -> QuantizedWeights {
    var result = QuantizedWeights(weights: [], bias: [], scales: [])
    result.weights.reserveCapacity(head.weights.count)
    for (row, bias) in head.bias.enumerated() {
      let weights = head.weights[row * count..<(row + 1) * count]
      let largest = weights.reduce(0) { max($0, abs($1)) }
      let scale = ChannelScale.finest(largest / 127, bias: abs(bias), input: input, output: output)
      let exact = weights.map { $0 / scale }
      // Embeddings mostly have one sign, so errors with a sum near 0 cancel.
      let rounded = head.mean.isEmpty ? WeightConversion.rounded(exact) : exact.map { Int8($0.rounded()) }
      result.weights += rounded.map { UInt8(bitPattern: $0) }
      let change = change(exact, rounded.map { Float($0) }, at: head.mean)
      result.bias.append(integer((bias / scale + change) / input.scale))
      result.scales.append(scale)
    }
    return result
  }

  /// Quantises to uint8 with one scale, and values of 1…255.
  static func matrix(
    _ head: LinearHead, count: Int, input: TensorScale, output: TensorScale
  ) -> QuantizedWeights {
    let low = head.weights.reduce(0, min)
    let high = head.weights.reduce(0, max)
    let largest = head.bias.reduce(0) { max($0, abs($1)) }
    let scale = ChannelScale.finest(high / 254 - low / 254, bias: largest, input: input, output: output)
    let zeroPoint = max(1, min(255, (1 - low / scale).rounded()))
    let exact = head.weights.map { $0 / scale }
    let rounded = exact.map { max(1, min(255, ($0 + zeroPoint).rounded())) - zeroPoint }
    var result = QuantizedWeights(weights: [], bias: [], scales: [scale], zeroPoint: Int(zeroPoint))
    result.weights = rounded.map { UInt8($0 + zeroPoint) }
    for (row, bias) in head.bias.enumerated() {
      let places = row * count..<(row + 1) * count
      let change = change(Array(exact[places]), Array(rounded[places]), at: head.mean)
      result.bias.append(integer((bias / scale + change) / input.scale))
    }
    return result
  }

  /// Returns the amount by which rounding a class's weights lowers its logit at the mean embedding; 0 if that
  /// is unknown.
  private static func change(_ exact: [Float], _ rounded: [Float], at mean: [Float]) -> Float {
    guard !mean.isEmpty else { return 0 }
    var sum = 0.0
    for index in exact.indices { sum += Double(exact[index] - rounded[index]) * Double(mean[index]) }
    return Float(sum)
  }

  /// Returns the nearest integer within the limits of a bias.
  private static func integer(_ number: Float) -> Int32 {
    Int32(max(-ChannelScale.largestBias, min(ChannelScale.largestBias, number.rounded())))
  }
}
