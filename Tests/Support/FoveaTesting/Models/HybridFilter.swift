// SPDX-License-Identifier: Apache-2.0

/// A model of one operator that multiplies floats by an int8 filter, as from dynamic-range quantisation.
package struct HybridFilter {
  package enum Kind: String, Sendable, CaseIterable {
    case depthwise, transposed, dense
  }

  package var kind: Kind
  package var scales: [Float]
  package var dimension: UInt32
  package var channels: Int32 = 16

  package init(_ kind: Kind, scales: [Float], dimension: UInt32) {
    self.kind = kind
    self.scales = scales
    self.dimension = dimension
  }

  /// The filter's shape: 3 × 3 for each of the channels, 2 × 2 from 4 channels to each, or 4 numbers to each.
  package var filterShape: [Int32] {
    switch kind {
    case .depthwise: [1, 3, 3, channels]
    case .transposed: [channels, 2, 2, 4]
    case .dense: [channels, 4]
    }
  }

  package var weights: [Int8] {
    let count = filterShape.reduce(1) { $0 * Int($1) }
    return (0..<count).map { Int8(truncatingIfNeeded: ($0 * 37) % 251 - 125) }
  }

  package func model() -> TestModel {
    let filter = TestModel.Tensor(
      shape: filterShape, type: 9, buffer: 1, scales: scales, zeroPoints: scales.map { _ in 0 },
      dimension: dimension, name: "filter")
    let bias = TestModel.Tensor(shape: [channels], buffer: 2, name: "bias")
    func model(_ input: [Int32], _ output: [Int32], _ code: UInt32, _ options: [Int: Int32]) -> TestModel {
      TestModel(
        tensors: [.init(shape: input, name: "x"), filter, bias, .init(shape: output, name: "y")],
        operators: [.init(code: code, inputs: [0, 1, 2], outputs: [3], options: options)],
        inputs: [0], outputs: [3],
        buffers: [
          [], weights.map(UInt8.init(bitPattern:)), [UInt8](repeating: 0, count: 4 * Int(channels)),
        ])
    }
    switch kind {
    case .depthwise:
      // Without padding, strides 1, one output for each input channel, no dilation.
      return model([1, 4, 4, channels], [1, 2, 2, channels], 4, [0: 1, 1: 1, 2: 1, 3: 1, 5: 1, 6: 1])
    case .transposed:
      var transposed = model([1, 2, 2, 4], [1, 4, 4, channels], 67, [0: 1, 1: 2, 2: 2])
      let shape = transposed.constant([1, 4, 4, channels])
      transposed.graphs[0].operators[0].inputs = [shape, 1, 0, 2]
      return transposed
    case .dense: return model([1, 4], [1, channels], 9, [:])
    }
  }

  /// Returns the operator's output if one scale is used for all channels.
  package func answer(_ input: [Float], scale: Float) -> [Float] {
    let (filter, outputs) = (weights, Int(channels))
    func weight(_ index: Int) -> Double { Double(filter[index]) * Double(scale) }
    switch kind {
    case .depthwise:
      return (0..<4 * outputs).map { place in
        let (row, column, channel) = (place / (2 * outputs), place / outputs % 2, place % outputs)
        var sum = 0.0
        for y in 0..<3 {
          for x in 0..<3 {
            sum +=
              Double(input[((row + y) * 4 + column + x) * outputs + channel])
              * weight((y * 3 + x) * outputs + channel)
          }
        }
        return Float(sum)
      }
    case .transposed:
      return (0..<16 * outputs).map { place in
        let (row, column, channel) = (place / (4 * outputs), place / outputs % 4, place % outputs)
        var sum = 0.0
        for index in 0..<4 {
          sum +=
            Double(input[(row / 2 * 2 + column / 2) * 4 + index])
            * weight(((channel * 2 + row % 2) * 2 + column % 2) * 4 + index)
        }
        return Float(sum)
      }
    case .dense:
      return (0..<outputs).map { channel in
        Float((0..<4).reduce(0.0) { $0 + Double(input[$1]) * weight(channel * 4 + $1) })
      }
    }
  }
}
