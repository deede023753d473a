// SPDX-License-Identifier: Apache-2.0

import FoveaTesting
import Testing

@testable import FoveaModelFile

@Suite struct TensorScalesTests {
  /// Two layers of an image, the first also read by a RELU, joined, and a layer on top.
  static func joined() throws -> FloatGraph {
    var generator = SeededGenerator(seed: 5)
    func tensor(_ channels: Int32, _ name: String) -> TestModel.Tensor {
      TestModel.Tensor(shape: [1, 4, 4, channels], name: name)
    }
    var model = TestModel(tensors: [tensor(16, "image")], inputs: [0])
    let first = model.convolution(of: 0, from: 16, to: 16, size: (4, 4), name: "first", &generator)
    let second = model.convolution(of: 0, from: 16, to: 16, size: (4, 4), name: "second", &generator)
    let joined = model.append(2, [first, second], makes: tensor(32, "joined"), options: [0: 3])
    let active = model.append(19, [first], makes: tensor(16, "active"))
    let all = model.append(2, [joined, active], makes: tensor(48, "all"), options: [0: 3])
    let gate = model.append(14, [all], makes: tensor(48, "gate"))
    let last = model.convolution(of: gate, from: 48, to: 16, size: (4, 4), name: "last", &generator)
    model.graphs[0].outputs = [last]
    return try FloatGraph(model.bytes())
  }

  static let input = TensorScales.Input(TensorScale(.int8, scale: 1, zeroPoint: -128), range: 0...255)

  /// The scales if the numbers of each named tensor have a range.
  static func scales(
    _ graph: FloatGraph, _ ranges: [String: ClosedRange<Double>]
  ) throws -> (scales: TensorScales, byName: [String: TensorScale]) {
    let plan = try LayerPlan(graph)
    let scales = TensorScales(graph, plan, input: input) { tensors in
      tensors.compactMap { ranges[graph.tensors[$0].name] }
        .reduce(0...0) { min($0.lowerBound, $1.lowerBound)...max($0.upperBound, $1.upperBound) }
    }
    let names = scales.scales.map { (graph.tensors[$0.key].name, $0.value) }
    return (scales, Dictionary(uniqueKeysWithValues: names))
  }

  @Test func `only tensors that an operator computes anew are measured`() throws {
    let graph = try Self.joined()
    let recorded = TensorScales.recorded(graph, try LayerPlan(graph))
    #expect(recorded.map { graph.tensors[$0].name }.sorted() == ["active", "first", "last", "second"])
  }

  @Test func `a concatenation and its inputs share the scale of all their numbers`() throws {
    let ranges: [String: ClosedRange<Double>] = [
      "first": -1...10, "second": -4...8, "active": 0...10, "last": 0...1,
    ]
    let found = try Self.scales(try Self.joined(), ranges)
    let scale = TensorScale(holding: -4...10)
    for name in ["first", "second", "joined", "active", "all"] {
      #expect(found.byName[name] == scale, "\(name)")
    }
    #expect(found.byName["image"] == Self.input.scale)
    #expect(found.byName["gate"] == .scores(.int8))
    #expect(found.scales.converted.isEmpty)
  }

  @Test func `an activation whose scale reaches below 0 is clipped in front`() throws {
    let graph = try Self.joined()
    let ranges: [String: ClosedRange<Double>] = [
      "first": -1...10, "second": -4...8, "active": 0...10, "last": 0...1,
    ]
    let found = try Self.scales(graph, ranges)
    let model = QuantizedGraphWriter.model(graph, try LayerPlan(graph), found.scales, description: nil)
    try ModelGraphCheck.check(model.span)
    let codes = try GraphReading(model).operators.map(\.code)
    #expect(codes == [3, 3, 2, 114, 114, 2, 14, 3, 6])
  }

  @Test func `numbers that are only 0 have the scale 1`() {
    #expect(TensorScale(holding: 0...0) == TensorScale(.int8, scale: 1, zeroPoint: 0))
  }

  @Test func `a narrow input that is also read elsewhere keeps its scale and is converted`() throws {
    let graph = try Self.joined()
    let ranges: [String: ClosedRange<Double>] = [
      "first": 0...1, "second": 0...10, "active": 0...10, "last": 0...1,
    ]
    let found = try Self.scales(graph, ranges)
    #expect(found.byName["first"] == TensorScale(holding: 0...1))
    #expect(found.byName["joined"] == TensorScale(holding: 0...10))
    #expect(found.scales.converted == [.init(node: 2, input: 0)])
    let model = QuantizedGraphWriter.model(graph, try LayerPlan(graph), found.scales, description: nil)
    // A QUANTIZE stands in front of the concatenation and for the RELU, and a DEQUANTIZE at the end.
    let codes = try GraphReading(model).operators.map(\.code)
    #expect(codes == [3, 3, 114, 2, 114, 2, 14, 3, 6])
  }

  @Test(
    arguments: [
      (0, 1, 0, nil), (1, 1e30, 0, nil), (1, -4.02e36, 0, "too large for int8 in 'first'"),
      (1, .infinity, 0, "too large"), (1, 1, 3e38, "too large"), (1, 1, .infinity, "too large"),
      (3e38, 1, 0, "too large for int8 in '"),
    ] as [(Double, Float, Float, String?)])
  func `scales that float32 cannot hold are refused with the tensor`(
    range: Double, weight: Float, bias: Float, part: String?
  ) throws {
    var model = TestModel.floatClassifier()
    var weights = [Float](repeating: 0.5, count: model.buffers[1].count / 4)
    weights[0] = weight
    model.buffers[1] = TensorBytes.of(weights)
    model.buffers[2] = TensorBytes.of([Float](repeating: bias, count: 96))
    let graph = try FloatGraph(model.bytes())
    let plan = try LayerPlan(graph)
    let input = TensorScales.Input(TensorScale(.int8, scale: 1 / 128, zeroPoint: 0), range: -1...1)
    let scales = TensorScales(graph, plan, input: input) { _ in -range...(range * 100) }
    let error = failure { () throws(MetadataError) in try scales.check(graph, plan) }
    #expect(error?.code == (part == nil ? nil : .notQuantizable))
    #expect(error?.message.contains(part ?? "") ?? (part == nil), "\(error?.message ?? "no error")")
    // A layer that stays float needs no scale of its weights.
    if range == 1, weight != 1 {
      try scales.check(graph, LayerPlan(like: plan, int8: [1]))
    }
  }
}
