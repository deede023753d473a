// SPDX-License-Identifier: Apache-2.0

import FoveaTesting
import Testing

@testable import FoveaMetadata

/// What the beginning of a graph tells of its pixels.
///
/// Tensor 0 is the picture.
@Suite struct PixelScaleTests {
  struct Constant {
    var type: UInt8 = 0
    var shape: [UInt32] = []
    var data: [UInt8] = []
    var scale: [Float] = []
    var zeroPoint: Int64 = 0

    static func floats(_ values: Float..., shape: [UInt32] = []) -> Constant {
      Constant(
        shape: shape,
        data: values.flatMap { value in
          (0..<4).map { UInt8(truncatingIfNeeded: value.bitPattern >> (8 * UInt32($0))) }
        })
    }

    /// 1 × 1 weights of one output for three channels.
    static func weights(_ value: Float) -> Constant { floats(value, -value, value, shape: [1, 1, 1, 3]) }
  }

  typealias Node = GraphFactsTests.Node

  /// A graph of six tensors; those that `constants` lists have content or a quantisation.
  static func graph(_ operators: [Node], _ constants: [Int: Constant]) -> [UInt8] {
    var main = FlatNode()
    let tensors = (0..<8).map { index in
      var tensor = FlatNode()
      let constant = constants[index] ?? Constant()
      tensor.set(FlatField(0, "shape"), .uint32s(constant.shape))
      tensor.set(FlatField(1, "type"), .uint8(constant.type))
      tensor.set(FlatField(2, "buffer"), .uint32(UInt32(index)))
      if !constant.scale.isEmpty {
        var quantization = FlatNode()
        quantization.set(FlatField(2, "scale"), .uint32s(constant.scale.map(\.bitPattern)))
        quantization.set(FlatField(3, "zero_point"), .uint64s([UInt64(bitPattern: constant.zeroPoint)]))
        tensor.set(FlatField(4, "quantization"), .table(quantization))
      }
      return tensor
    }
    main.set(FlatField(0, "tensors"), nodes: tensors)
    main.set(FlatField(1, "inputs"), .uint32s([0]))
    main.set(
      FlatField(3, "operators"),
      nodes: operators.indices.map { index in
        var node = FlatNode()
        node.set(FlatField(0, "opcode_index"), .uint32(UInt32(index)))
        node.set(FlatField(1, "inputs"), .uint32s(operators[index].inputs))
        node.set(FlatField(2, "outputs"), .uint32s(operators[index].outputs))
        return node
      })
    var root = FlatNode()
    root.set(
      FlatField(1, "operator_codes"),
      nodes: operators.map { node in
        var code = FlatNode()
        code.set(FlatField(3, "builtin_code"), .uint32(node.code))
        return code
      })
    root.set(FlatField(2, "subgraphs"), nodes: [main])
    root.set(
      FlatField(4, "buffers"),
      nodes: (0..<8).map { index in
        var buffer = FlatNode()
        if let data = constants[index]?.data, !data.isEmpty {
          buffer.set(FlatField(0, "data"), .bytes(data, alignment: 16))
        }
        return buffer
      })
    var writer = FlatBufferWriter(identifier: Array("TFL3".utf8))
    writer.root(root)
    return writer.bytes
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
      constants: [1: Constant(type: 9, scale: [scale], zeroPoint: zeroPoint)], expected: expected)
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
      testDescription: "less the mean, by channel, behind a transposition",
      operators: [(transpose, [0, 5], [1]), (subtract, [1, 2], [3])],
      constants: [2: .floats(103.9, 116.8, 123.7)], expected: .bytes),
    Case(
      testDescription: "less the mean, red and blue in each other's place",
      operators: [
        (slice, [0], [1]), (slice, [0], [2]), (slice, [0], [3]), (pack, [3, 2, 1], [4]), (add, [4, 5], [6]),
      ],
      constants: [5: .floats(-103.9, -116.8, -123.7)], expected: .bytes),
    Case(
      testDescription: "less the mean of numbers 0 to 1, by their deviation",
      operators: [(subtract, [0, 2], [1]), (multiply, [1, 3], [4])],
      constants: [2: .floats(0.485, 0.456, 0.406), 3: .floats(4.4, 4.5, 4.4)], expected: nil),
    Case(
      testDescription: "a constant less the picture", operators: [(subtract, [2, 0], [1])],
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
      testDescription: "weights that are no numbers", operators: [(convolution, [0, 2], [1])],
      constants: [2: .weights(.nan)], expected: nil),
    Case(
      testDescription: "weights in int8", operators: [(convolution, [0, 2], [1])],
      constants: [2: Constant(type: 9, shape: [1, 1, 1, 3], data: [127, 0x81, 5], scale: [0.0001])],
      expected: .bytes),
    Case(
      // 0.0005 in half precision is 0x1019.
      testDescription: "weights in half precision",
      operators: [(dequantize, [2], [3]), (convolution, [0, 3], [1])],
      constants: [2: Constant(type: 1, shape: [1, 1, 1, 3], data: [0x19, 0x10, 0x19, 0x90, 0x19, 0x10])],
      expected: .bytes),
    Case(
      testDescription: "fewer weights than the shape says", operators: [(convolution, [0, 2], [1])],
      constants: [2: .floats(0.001, shape: [1, 1, 1, 3])], expected: nil),
    quantized("a range of 0 to 255", 1, -128, .bytes),
    quantized("a range of 0 to 1", 1 / 255, -128, .unit),
    quantized("a range of −1 to 1", 1 / 127.5, -1, .signed),
    quantized("a range of ImageNet's deviations", 0.0187, -14, nil),
    quantized("a scale that is no number", .nan, 0, nil),
    Case(
      testDescription: "two readers", operators: [(multiply, [0, 2], [1]), (add, [0, 2], [3])],
      constants: [2: .floats(0.001)], expected: nil),
    Case(testDescription: "a circle", operators: [(transpose, [0, 5], [0])], expected: nil),
    Case(testDescription: "no operators", operators: [], expected: nil),
  ]

  @Test(arguments: cases) func `the first operators tell the pixels`(_ row: Case) throws {
    #expect(try PixelScale.read(Self.graph(row.operators, row.constants).span) == row.expected)
  }

  @Test func `no changed byte does harm`() {
    let bytes = Self.graph([(Self.quantize, [0], [1])], [1: Constant(type: 9, scale: [1], zeroPoint: -128)])
    for index in bytes.indices {
      for byte: UInt8 in [0, 1, 0x7F, 0x80, 0xFF] {
        var changed = bytes
        changed[index] = byte
        _ = try? PixelScale.read(changed.span)
      }
    }
  }
}
