// SPDX-License-Identifier: Apache-2.0

/// How the weights of one operator become symmetric int8: each output channel with a scale of its own.
///
/// A uint8 weight stands for scale · (w − zeroPoint), and w − zeroPoint lies in −255…255. A channel whose differences
/// all lie in −127…127 keeps them as they are; any other one is divided by `factor` and rounded.
struct WeightConversion {
  /// The tensor of the weights.
  let tensor: Int
  /// The tensor of the bias; nil where there is none.
  let bias: Int?
  /// The tensor of the operator's first input.
  let input: Int
  /// Whether a channel's weights lie one after the other (else they are `channelCount` apart).
  let isChannelMajor: Bool
  /// By what each channel's differences are divided, 1 or more; one for each output channel.
  let factors: [Float]

  private static let largest: Float = 127

  /// Measures the channels of `weights`.
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

  /// Replaces the weights, which begin at `start`.
  func convert(weightsAt start: Int, count: Int, zeroPoint: Int, in bytes: inout MutableSpan<UInt8>) {
    let perChannel = count / factors.count
    let offset = UInt8(zeroPoint)
    // Exact for every channel with the factor 1; the others are done from the original numbers below.
    var rounded: [(index: Int, value: Int8)] = []
    for channel in factors.indices where factors[channel] > 1 {
      for step in 0..<perChannel {
        let index = start + (isChannelMajor ? channel * perChannel + step : step * factors.count + channel)
        let value = (Float(Int(bytes[index]) - zeroPoint) / factors[channel]).rounded(.toNearestOrEven)
        rounded.append((index, Int8(max(-Self.largest, min(Self.largest, value)))))
      }
    }
    precondition(start >= 0 && count >= 0 && start <= bytes.count - count)
    unsafe bytes.withUnsafeMutableBufferPointer { all in
      // SAFETY: the range was checked above; without checks for each byte the loop becomes vector instructions.
      for index in start..<start + count { unsafe all[index] &-= offset }
    }
    for (index, value) in rounded { bytes[index] = UInt8(bitPattern: value) }
  }

  /// Replaces the bias, whose numbers begin at `start`: it counts in steps of input scale · weight scale.
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
