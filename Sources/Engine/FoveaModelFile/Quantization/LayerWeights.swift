// SPDX-License-Identifier: Apache-2.0

/// The weights of a layer in symmetric int8 with a scale for each output channel, and its bias in int32.
package struct LayerWeights {
  let channelDimension: Int
  let weights: [UInt8]
  let scales: [Float]
  let bias: [Int32]?

  /// Quantises the weights of a layer.
  /// - Parameters:
  ///   - numbers: The weights in the order of their shape.
  ///   - shape: The shape of the weights.
  ///   - channelDimension: The dimension of the output channels: the first or the last.
  ///   - bias: A number for each channel; nil if there is none.
  ///   - offset: The number that is added to each input.
  ///   - input: The scale of the layer's input.
  ///   - output: The scale of its output.
  init(
    _ numbers: [Float], shape: [Int], channelDimension: Int, bias: [Float]?, offset: Float,
    input: TensorScale, output: TensorScale
  ) {
    self.channelDimension = channelDimension
    let count = shape[channelDimension]
    let perChannel = numbers.count / max(count, 1)
    let isMajor = channelDimension == 0
    func place(_ channel: Int, _ index: Int) -> Int {
      isMajor ? channel * perChannel + index : index * count + channel
    }
    var weights = [UInt8](repeating: 0, count: numbers.count)
    var scales: [Float] = []
    var biases: [Int32] = []
    for channel in 0..<count {
      var largest: Float = 0
      var sum = 0.0
      for index in 0..<perChannel {
        let number = numbers[place(channel, index)]
        largest = max(largest, abs(number))
        sum += Double(number)
      }
      let exact = Double(bias?[channel] ?? 0) + Double(offset) * sum
      let scale = ChannelScale.finest(
        largest == 0 ? 1 : largest / 127, bias: Float(abs(exact)), input: input, output: output)
      for index in 0..<perChannel {
        let number = (numbers[place(channel, index)] / scale).rounded()
        weights[place(channel, index)] = UInt8(bitPattern: Int8(max(-127, min(127, number))))
      }
      scales.append(scale)
      biases.append(Self.integer(exact / (Double(scale) * Double(input.scale))))
    }
    self.weights = weights
    self.scales = scales
    self.bias = bias == nil && offset == 0 ? nil : biases
  }

  private static func integer(_ number: Double) -> Int32 {
    let limit = Double(ChannelScale.largestBias)
    return number.isNaN ? 0 : Int32(max(-limit, min(limit, number.rounded())))
  }
}

/// The little-endian bytes of numbers.
package enum TensorBytes {
  package static func of(_ numbers: [Float]) -> [UInt8] { of(numbers.map(\.bitPattern)) }

  package static func of<Number: FixedWidthInteger>(_ numbers: [Number]) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(numbers.count * Number.bitWidth / 8)
    for number in numbers { bytes.append(littleEndian: number) }
    return bytes
  }
}
