// SPDX-License-Identifier: Apache-2.0

import FoveaModelFile
import FoveaRuntime
import FoveaTesting
import Testing

@testable import FoveaTraining

/// Each rule against arithmetic: an operator in int8, on numbers that int8 holds exactly, is the float operator
/// rounded to steps of its output.
@Suite struct KernelTests {
  struct Operator: Sendable, CustomTestStringConvertible {
    let name: String
    var code: UInt32 = 0
    var shape: [Int32] = [1, 4, 4, 16]
    var options: [Int: Int32]?
    /// Adds the inputs after the image.
    var others: @Sendable (inout TestModel) -> [Int32] = { _ in [] }
    var testDescription: String { name }
  }

  static let pool: [Int: Int32] = [0: 1, 1: 2, 2: 2, 3: 2, 4: 2]
  static let operators = [
    Operator(name: "RELU", code: 19), Operator(name: "RELU6", code: 21),
    Operator(name: "RELU_N1_TO_1", code: 20), Operator(name: "RELU_0_TO_1", code: 152),
    Operator(name: "LOGISTIC", code: 14), Operator(name: "TANH", code: 28),
    Operator(name: "ADD of itself", code: 0, options: [0: 0]) { _ in [0] },
    Operator(name: "MUL of itself", code: 18, options: [0: 0]) { _ in [0] },
    Operator(name: "SUB of a constant", code: 41, options: [0: 0]) { [$0.floats([1.5], [1])] },
    Operator(name: "MUL by a constant", code: 18, options: [0: 0]) { [$0.floats([-0.5], [1])] },
    Operator(name: "MAXIMUM", code: 55) { [$0.floats([0.5], [1])] },
    Operator(name: "MAX_POOL_2D", code: 17, shape: [1, 2, 2, 16], options: pool),
    Operator(name: "AVERAGE_POOL_2D", code: 1, shape: [1, 2, 2, 16], options: pool),
    Operator(name: "RESHAPE", code: 22, shape: [1, 16, 16]) { [$0.constant([1, 16, 16])] },
    Operator(name: "CONCATENATION", code: 2, shape: [1, 4, 4, 32], options: [0: 3]) { _ in [0] },
    Operator(name: "MEAN", code: 40, shape: [1, 16], options: [0: 0]) { [$0.constant([1, 2])] },
    Operator(name: "CONV_2D", code: 3, shape: [1, 4, 4, 16], options: [0: 0, 1: 1, 2: 1, 4: 1, 5: 1]) {
      [$0.floats(weights, [16, 1, 1, 16]), $0.floats(bias, [16])]
    },
    Operator(
      name: "DEPTHWISE_CONV_2D", code: 4, shape: [1, 1, 1, 16], options: [0: 1, 1: 1, 2: 1, 3: 1, 5: 1, 6: 1]
    ) { [$0.floats(weights, [1, 4, 4, 16]), $0.floats(bias, [16])] },
    Operator(name: "FULLY_CONNECTED", code: 9, shape: [1, 16], options: [0: 0]) { model in
      [model.floats(weights + [Float](repeating: 0, count: 15 * 256), [16, 256]), model.floats(bias, [16])]
    },
  ]

  /// Weights that int8 holds exactly: each channel, of rows or of columns, has one of ±127 ÷ 128.
  static let weights: [Float] = {
    var generator = SeededGenerator(seed: 13)
    return (0..<256).map { index in
      let number = index / 16 == index % 16 ? 127 : Int.random(in: -127...127, using: &generator)
      return Float(number) / 128
    }
  }()
  static let bias: [Float] = (0..<16).map { Float($0 - 8) / 8 }

  /// LiteRT 2.3 has no fast int8 kernel of these operators.
  ///
  /// Six convolutions of 32 channels at 32 × 32 that take 1.06 ms in float and 0.30 ms in int8 took 0.95 ms with
  /// PRELU in int8 and 0.90 ms with HARD_SWISH, as XNNPACK left each to a kernel that computes number by number.
  /// In float, with a conversion in front and behind, they take 0.31 and 0.29 ms.
  @Test(
    arguments: [
      Operator(name: "PRELU", code: 54) { [$0.floats([Float](repeating: 0.2, count: 16), [16])] },
      Operator(name: "HARD_SWISH", code: 117),
    ])
  func `an operator that is slow in int8 stays float between int8 layers`(item: Operator) throws {
    var model = TestModel(tensors: [TestModel.Tensor(shape: [1, 4, 4, 16], name: "image")], inputs: [0])
    var generator = SeededGenerator(seed: 3)
    let first = model.convolution(of: 0, from: 16, to: 16, size: (4, 4), name: "first", &generator)
    let made = model.append(
      item.code, [first] + item.others(&model), makes: TestModel.Tensor(shape: item.shape, name: "made"))
    let last = model.convolution(of: made, from: 16, to: 64, size: (4, 4), name: "last", &generator)
    model.graphs[0].outputs = [last]
    let graph = try FloatGraph(model.bytes())
    let plan = try LayerPlan(graph)
    #expect(plan.isInt8 == [true, false, true])
    #expect(plan.islands(of: graph) == [LayerPlan.Island(.noInt8Form, item.name, 1)])
  }

  @Test(arguments: operators, [SessionOptions.Kernels.reference, .optimized])
  func `an operator in int8 is the float operator rounded`(
    item: Operator, kernels: SessionOptions.Kernels
  ) throws {
    var model = TestModel(tensors: [TestModel.Tensor(shape: [1, 4, 4, 16], name: "image")], inputs: [0])
    let inputs = [0] + item.others(&model)
    let output = model.append(
      item.code, inputs, makes: TestModel.Tensor(shape: item.shape, name: "made"), options: item.options)
    // A layer that follows keeps the operator out of the tail.
    let count = Int(item.shape.reduce(1, *))
    let dense = model.floats([Float](repeating: 0.5, count: 16 * count), [16, Int32(count)])
    let last = model.append(9, [output, dense], makes: [1, 16], options: [0: 0])
    model.graphs[0].outputs = [last]
    let graph = try FloatGraph(model.bytes())
    let plan = try LayerPlan(graph)
    #expect(plan.isInt8[0])

    var generator = SeededGenerator(seed: 17)
    let numbers = (0..<256).map { _ in Float(Int.random(in: -128...127, using: &generator)) / 32 }
    let expected = try Self.run(graph, LayerPlan(like: plan), nil, numbers, Int(output), kernels)
    let input = TensorScales.Input(TensorScale(.int8, scale: 1 / 32, zeroPoint: 0), range: -4...3.96875)
    let alone = LayerPlan(like: plan, int8: [0])
    let ranges = Double(expected.min() ?? 0)...Double(expected.max() ?? 0)
    let scales = TensorScales(graph, alone, input: input) { _ in ranges }
    let found = try Self.run(graph, alone, scales, numbers, Int(output), kernels)
    let step = try #require(scales.scales[Int(output)]).scale
    let allowed = step * (kernels == .reference ? 1.01 : 2.01)
    #expect(found.count == expected.count)
    let worst = zip(found, expected).map { abs($0 - $1) }.max() ?? 0
    #expect(worst <= allowed, "\(worst / step) steps")
  }

  static func run(
    _ graph: FloatGraph, _ plan: LayerPlan, _ scales: TensorScales?, _ numbers: [Float], _ output: Int,
    _ kernels: SessionOptions.Kernels
  ) throws -> [Float] {
    var options = SessionOptions()
    options.kernels = kernels
    let sessions = GraphSessions(name: "test", options: options)
    let model = QuantizedGraphWriter.model(graph, plan, scales, returning: [output])
    try ModelGraphCheck.check(model.span)
    let session = try sessions.session(of: model, [output])
    try session.run(numbers)
    var values: [Float] = []
    unsafe session.withOutput(0) { unsafe values = Array($0) }
    return values
  }
}
