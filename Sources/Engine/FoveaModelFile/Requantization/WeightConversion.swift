// SPDX-License-Identifier: Apache-2.0

/// The conversion of one operator's weights to symmetric int8, with a scale per output channel.
///
/// A uint8 weight represents scale · (w − zeroPoint), and w − zeroPoint is in −255…255. A channel whose
/// differences are all in −127…127 keeps them unchanged; any other channel is divided by its factor and
/// rounded.
package struct WeightConversion {
  /// The tensor of the weights.
  let tensor: Int
  /// The tensor of the bias; nil if there is none.
  let bias: Int?
  /// The tensor of the operator's first input.
  let input: Int
  /// Whether a channel's weights are contiguous (otherwise they are `channelCount` apart).
  let isChannelMajor: Bool
  /// The divisors of the channels' differences, 1 or more; one per output channel.
  let factors: [Float]

  private static let largest: Float = 127

  /// Returns the factor of each channel of `weights`.
  static func factors(
    of weights: FlatVector, zeroPoint: Int, channelCount: Int, isChannelMajor: Bool, in bytes: Span<UInt8>
  ) -> [Float] {
    let perChannel = weights.count / channelCount
    var factors: [Float] = []
    factors.reserveCapacity(channelCount)
    for channel in 0..<channelCount {
      var low = UInt8.max
      var high = UInt8.min
      if isChannelMajor {
        // A loop over one span without strides becomes vector instructions.
        let row = bytes.extracting(
          droppingFirst: weights.start + channel * perChannel
        ).extracting(first: perChannel)
        for index in row.indices {
          low = min(low, row[index])
          high = max(high, row[index])
        }
      } else {
        for index in 0..<perChannel {
          let value = bytes[weights.start + index * channelCount + channel]
          low = min(low, value)
          high = max(high, value)
        }
      }
      let largest = max(abs(Int(high) - zeroPoint), abs(Int(low) - zeroPoint))
      factors.append(max(1, Float(largest) / Self.largest))
    }
    return factors
  }

  /// Replaces the weights, which start at `start`.
  func convert(weightsAt start: Int, count: Int, zeroPoint: Int, in bytes: inout MutableSpan<UInt8>) {
    let perChannel = count / factors.count
    let offset = UInt8(zeroPoint)
    // This is exact for every channel with the factor 1. The other channels are rounded first; the offset
    // that the loop below subtracts from all channels is added to them.
    for channel in factors.indices where factors[channel] > 1 {
      let indexes = (0..<perChannel).map {
        start + (isChannelMajor ? channel * perChannel + $0 : $0 * factors.count + channel)
      }
      let values = Self.rounded(indexes.map { Float(Int(bytes[$0]) - zeroPoint) / factors[channel] })
      for (index, value) in zip(indexes, values) { bytes[index] = UInt8(bitPattern: value) &+ offset }
    }
    precondition(start >= 0 && count >= 0 && start <= bytes.count - count)
    unsafe bytes.withUnsafeMutableBufferPointer { all in
      // SAFETY: the range was checked above; without checks for each byte the loop becomes vector
      // instructions.
      for index in start..<start + count { unsafe all[index] &-= offset }
    }
  }

  /// Rounds numbers of −127…127 so that their sum also changes by at most half a step.
  ///
  /// A channel's inputs mostly have one sign and change slowly across the image, so errors of one sign add
  /// up, while errors with a sum near 0 cancel. The numbers with the largest rounding errors are rounded the
  /// other way.
  package static func rounded(_ numbers: [Float]) -> [Int8] {
    var result = numbers.map { $0.rounded(.toNearestOrEven) }
    let residuals = zip(numbers, result).map { $0 - $1 }
    let excess = Int(residuals.reduce(0, +).rounded(.toNearestOrEven))
    let step: Float = excess < 0 ? -1 : 1
    let order = residuals.indices.sorted {
      residuals[$0] != residuals[$1] ? residuals[$0] * step > residuals[$1] * step : $0 < $1
    }
    for index in order.prefix(abs(excess)) { result[index] += step }
    return result.map { Int8(max(-largest, min(largest, $0))) }
  }

  /// Replaces the bias, whose numbers start at `start`, in units of input scale · weight scale.
  func convertBias(at start: Int, in bytes: inout MutableSpan<UInt8>) {
    for channel in factors.indices where factors[channel] > 1 {
      let position = start + 4 * channel
      var bits: UInt32 = 0
      for index in 0..<4 { bits |= UInt32(bytes[position + index]) << (8 * UInt32(index)) }
      let value = (Double(Int32(bitPattern: bits)) / Double(factors[channel])).rounded(.toNearestOrEven)
      bits = UInt32(bitPattern: Int32(value))
      for index in 0..<4 { bytes[position + index] = UInt8(truncatingIfNeeded: bits >> (8 * UInt32(index))) }
    }
  }
}
