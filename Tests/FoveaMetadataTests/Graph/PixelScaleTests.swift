// SPDX-License-Identifier: Apache-2.0

import FoveaTesting
import Testing

@testable import FoveaMetadata

/// The pixel range shown by the start of a graph.
///
/// Tensor 0 is the image.
@Suite struct PixelScaleTests {
  struct Constant {
    var tensor: TestModel.Tensor = []
    var data: [UInt8] = []

    static func floats(_ values: Float..., shape: [Int32] = []) -> Constant {
      Constant(
        tensor: .init(shape: shape), data: TestModel.content(values.map { Int32(bitPattern: $0.bitPattern) }))
    }

    /// 1 × 1 weights of one output for three channels.
    static func weights(_ value: Float) -> Constant { floats(value, -value, value, shape: [1, 1, 1, 3]) }
  }

  typealias Node = GraphFactsTests.Node

  /// A graph of eight tensors; those in `constants` have content or a quantisation.
  static func graph(_ operators: [Node], _ constants: [Int: Constant]) -> [UInt8] {
    let tensors = (0..<8).map { index in
      var tensor = constants[index]?.tensor ?? []
      tensor.buffer = UInt32(index)
      return tensor
    }
    return GraphFactsTests.graph(
      operators, tensors, inputs: [0], buffers: (0..<8).map { constants[$0]?.data ?? [] })
  }

  static let (add, convolution, dequantize, multiply, transpose, subtract, divide, slice, pack, quantize):
    (UInt32, UInt32, UInt32, UInt32, UInt32, UInt32, UInt32, UInt32, UInt32, UInt32) = (
      0, 3, 6, 18, 39, 41, 42, 45, 83, 114
    )

  struct Case: CustomTestStringConvertible {
    let testDescription: String
    let operators: [Node]
    var constants: [Int: Constant] = [:]
    let expected: PixelScale?
  }

  static func quantized(_ name: String, _ scale: Float, _ zeroPoint: Int64, _ expected: PixelScale?) -> Case {
    Case(
      testDescription: name, operators: [(quantize, [0], [1])],
      constants: [1: Constant(tensor: .quantized([], 9, scale, zeroPoint))], expected: expected)
  }

  static let cases = [
    Case(
      testDescription: "divided by 127.5, less 1",
      operators: [(multiply, [0, 2], [1]), (add, [1, 3], [4])],
      constants: [2: .floats(1 / 127.5), 3: .floats(-1)], expected: .bytes),
    Case(
      testDescription: "divided by 255", operators: [(divide, [0, 2], [1])], constants: [2: .floats(255)],
      expected: .bytes),
    Case(
      testDescription: "less the mean, by channel, after a transposition",
      operators: [(transpose, [0, 5], [1]), (subtract, [1, 2], [3])],
      constants: [2: .floats(103.9, 116.8, 123.7)], expected: .bytes),
    Case(
      testDescription: "less the mean, red and blue swapped",
      operators: [
        (slice, [0], [1]), (slice, [0], [2]), (slice, [0], [3]), (pack, [3, 2, 1], [4]), (add, [4, 5], [6]),
      ],
      constants: [5: .floats(-103.9, -116.8, -123.7)], expected: .bytes),
    Case(
      testDescription: "less the mean of numbers 0 to 1, by their deviation",
      operators: [(subtract, [0, 2], [1]), (multiply, [1, 3], [4])],
      constants: [2: .floats(0.485, 0.456, 0.406), 3: .floats(4.4, 4.5, 4.4)], expected: nil),
    Case(
      testDescription: "a constant less the image", operators: [(subtract, [2, 0], [1])],
      constants: [2: .floats(255)], expected: nil),
    Case(
      testDescription: "1/255 in the weights", operators: [(convolution, [0, 2], [1])],
      constants: [2: .weights(0.2 / 255)], expected: .bytes),
    Case(
      testDescription: "usual weights", operators: [(convolution, [0, 2], [1])],
      constants: [2: .weights(0.2)], expected: nil),
    Case(
      testDescription: "no weights", operators: [(convolution, [0, 2], [1])],
      constants: [2: .weights(0)], expected: nil),
    Case(
      testDescription: "weights that are not numbers", operators: [(convolution, [0, 2], [1])],
      constants: [2: .weights(.nan)], expected: nil),
    Case(
      testDescription: "weights in int8", operators: [(convolution, [0, 2], [1])],
      constants: [2: Constant(tensor: .quantized([1, 1, 1, 3], 9, 0.0001), data: [127, 0x81, 5])],
      expected: .bytes),
    Case(
      // 0.0005 in half precision is 0x1019.
      testDescription: "weights in half precision",
      operators: [(dequantize, [2], [3]), (convolution, [0, 3], [1])],
      constants: [
        2: Constant(tensor: .init(shape: [1, 1, 1, 3], type: 1), data: [0x19, 0x10, 0x19, 0x90, 0x19, 0x10])
      ],
      expected: .bytes),
    Case(
      testDescription: "fewer weights than the shape declares", operators: [(convolution, [0, 2], [1])],
      constants: [2: .floats(0.001, shape: [1, 1, 1, 3])], expected: nil),
    quantized("a range of 0 to 255", 1, -128, .bytes),
    quantized("a range of 0 to 1", 1 / 255, -128, .unit),
    quantized("a range of −1 to 1", 1 / 127.5, -1, .signed),
    quantized("a range of ImageNet's deviations", 0.0187, -14, nil),
    quantized("a scale that is not a number", .nan, 0, nil),
    Case(
      testDescription: "two readers", operators: [(multiply, [0, 2], [1]), (add, [0, 2], [3])],
      constants: [2: .floats(0.001)], expected: nil),
    Case(testDescription: "a cycle", operators: [(transpose, [0, 5], [0])], expected: nil),
    Case(testDescription: "no operators", operators: [], expected: nil),
  ]

  @Test(arguments: cases) func `the first operators show the pixel range`(_ row: Case) throws {
    #expect(try PixelScale.read(Self.graph(row.operators, row.constants).span) == row.expected)
  }

  @Test func `no changed byte does harm`() {
    let bytes = Self.graph([(Self.quantize, [0], [1])], [1: Constant(tensor: .quantized([], 9, 1, -128))])
    for index in bytes.indices {
      for byte: UInt8 in [0, 1, 0x7F, 0x80, 0xFF] {
        var changed = bytes
        changed[index] = byte
        _ = try? PixelScale.read(changed.span)
      }
    }
  }
}
