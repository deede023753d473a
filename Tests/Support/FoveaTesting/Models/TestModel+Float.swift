// SPDX-License-Identifier: Apache-2.0

import FoveaModelFile

/// Float graphs for quantisation.
extension TestModel {
  /// Adds a constant of float32 and returns its number.
  package mutating func floats(_ numbers: [Float], _ shape: [Int32], name: String? = nil) -> Int32 {
    buffers.append(TensorBytes.of(numbers))
    graphs[0].tensors.append(Tensor(shape: shape, buffer: UInt32(buffers.count - 1), name: name))
    return Int32(graphs[0].tensors.count - 1)
  }

  /// Adds a convolution of one pixel with stride 1, and returns the number of its output.
  package mutating func convolution(
    of input: Int32, from channels: Int, to count: Int, size: (Int32, Int32), name: String,
    _ generator: inout SeededGenerator
  ) -> Int32 {
    let numbers = (0..<count * channels).map { _ in Float.random(in: -1...1, using: &generator) }
    let bias = (0..<count).map { _ in Float.random(in: -0.5...0.5, using: &generator) }
    let weights = floats(numbers, [Int32(count), 1, 1, Int32(channels)], name: "\(name)/weights")
    let biases = floats(bias, [Int32(count)], name: "\(name)/bias")
    return append(
      3, [input, weights, biases], makes: Tensor(shape: [1, size.0, size.1, Int32(count)], name: name),
      // Conv2DOptions: the type, padding SAME and strides.
      options: [0: 0, 1: 1, 2: 1, 4: 1, 5: 1])
  }

  /// A float classifier of square images: convolutions named "first", "second" and "third" with a ReLU between
  /// them, the mean of each channel, and a softmax.
  ///
  /// With the default widths, int8 does not make the second layer faster if the first is float.
  package static func floatClassifier(side: Int32 = 8, widths: [Int] = [96, 4]) -> TestModel {
    var generator = SeededGenerator(seed: 7)
    var model = TestModel(tensors: [Tensor(shape: [1, side, side, 3], name: "image")], inputs: [0])
    var (last, channels): (Int32, Int) = (0, 3)
    for ((layer, active), width) in zip(
      [("first", "image"), ("second", "active"), ("third", "active2")], widths)
    {
      if last != 0 {
        last = model.append(19, [last], makes: Tensor(shape: [1, side, side, Int32(channels)], name: active))
      }
      last = model.convolution(
        of: last, from: channels, to: width, size: (side, side), name: layer, &generator)
      channels = width
    }
    let axes = model.constant([1, 2])
    let shape = [1, Int32(channels)]
    let mean = model.append(40, [last, axes], makes: Tensor(shape: shape, name: "mean"), options: [0: 0])
    let scores = model.append(
      25, [mean], makes: Tensor(shape: shape, name: "scores"), options: [0: Int32(bitPattern: 0x3F80_0000)])
    model.graphs[0].outputs = [scores]
    return model
  }
}
