// SPDX-License-Identifier: Apache-2.0

import FoveaTesting
import Testing

@testable import FoveaModelFile

@Suite struct QuantizedGraphWriterTests {
  static func model(
    _ source: TestModel = .floatClassifier(), float: Set<Int> = [], offset: Float = 0
  ) throws -> [UInt8] {
    let graph = try FloatGraph(source.bytes())
    let plan = try LayerPlan(graph, float: float)
    let input = TensorScales.Input(
      TensorScale(.int8, scale: 1 / 128, zeroPoint: 0), range: -1...1, offset: offset)
    let scales = TensorScales(graph, plan, input: input) { _ in -2...4 }
    return QuantizedGraphWriter.model(graph, plan, scales, description: "small")
  }

  @Test func `the input is int8, the outputs are float, and the graph passes the check`() throws {
    let model = try Self.model()
    try ModelGraphCheck.check(model.span)
    let outline = try GraphOutline.read(model.span)
    #expect(outline.inputs.map(\.type) == ["int8"])
    #expect(outline.inputs.map(\.name) == ["image"])
    #expect(outline.outputs.map(\.type) == ["float32"])
    #expect(outline.outputs.map(\.name) == ["scores"])
    // MEAN and SOFTMAX are the tail.
    #expect(outline.operators.map(\.name) == ["CONV_2D", "DEQUANTIZE", "MEAN", "SOFTMAX"])
    #expect(try ModelGraphSummary.read(model).description == "small")
  }

  @Test func `equal input gives equal bytes`() throws {
    let source = TestModel.floatClassifier()
    let first = try Self.model(source)
    let second = try Self.model(source)
    #expect(first == second)
  }

  @Test func `a float layer is surrounded by conversions`() throws {
    let model = try Self.model(LayerPlanTests.chainModel(), float: [3])
    let outline = try GraphOutline.read(model.span)
    // The RESHAPE in front of the float layer and the TANH behind it are float, too.
    #expect(
      outline.operators.map { "\($0.name) \($0.count)" }
        == [
          "CONV_2D 3", "TANH 3", "DEQUANTIZE 2", "RESHAPE 3", "QUANTIZE 1", "MUL 1", "CONCATENATION 1",
        ])
  }

  @Test(
    arguments: [
      // Four channels of two weights: whole steps, zeros, a large bias, a tiny weight.
      ([1, -1, 0, 0, 0.5, 127, 1e-30, 0], [1, 2, 3, 0], 0),
      ([1, -1, 0, 0, 0.5, 127, 1e-30, 0], [1, 2, 3, 0], 0.25),
      ([1, 2, 3, 4, 5, 6, 7, 8], [1e30, -1e30, 1, -1], 0),
    ] as [([Float], [Float], Float)])
  func `weights and bias are within half a step`(weights: [Float], bias: [Float], offset: Float) {
    let input = TensorScale(.int8, scale: 0.5, zeroPoint: 3)
    let output = TensorScale(.int8, scale: 0.25, zeroPoint: 0)
    for dimension in [0, 3] {
      let shape = dimension == 0 ? [4, 1, 1, 2] : [1, 1, 2, 4]
      let found = LayerWeights(
        weights, shape: shape, channelDimension: dimension, bias: bias, offset: offset, input: input,
        output: output)
      for channel in 0..<4 {
        let places = dimension == 0 ? [2 * channel, 2 * channel + 1] : [channel, channel + 4]
        let step = found.scales[channel]
        for place in places {
          let value = Float(Int8(bitPattern: found.weights[place])) * step
          #expect(abs(value - weights[place]) <= step * 0.501)
        }
        let sum = places.reduce(0) { $0 + Double(weights[$1]) }
        let exact = Double(bias[channel]) + Double(offset) * sum
        let unit = Double(step) * 0.5
        let integer = Double(found.bias?[channel] ?? 0)
        #expect(abs(integer * unit - exact) <= unit * 0.501 + abs(exact) * 1e-6)
        #expect(abs(integer) <= Double(ChannelScale.largestBias))
      }
    }
  }

  @Test func `a channel of zeros has the scale 1`() {
    let scale = TensorScale(.int8, scale: 1, zeroPoint: 0)
    let found = LayerWeights(
      [0, 0], shape: [1, 2], channelDimension: 0, bias: nil, offset: 0, input: scale, output: scale)
    #expect(found.scales == [1])
    #expect(found.weights == [0, 0])
    #expect(found.bias == nil)
  }

  @Test func `the offset of the input needs a bias`() throws {
    var generator = SeededGenerator(seed: 1)
    var source = TestModel(tensors: [[1, 1, 1, 16]], inputs: [0])
    let numbers = (0..<256).map { _ in Float.random(in: -1...1, using: &generator) }
    let weights = source.floats(numbers, [16, 16])
    let output = source.append(9, [0, weights], makes: [1, 16], options: [0: 0])
    source.graphs[0].outputs = [output]
    let graphs = [
      try GraphReading(try Self.model(source)), try GraphReading(try Self.model(source, offset: 0.5)),
    ]
    var (counts, versions): ([Int], [UInt32]) = ([], [])
    for item in graphs.flatMap(\.operators) where item.code == 9 {
      counts.append(item.inputs.count)
      versions.append(item.version)
    }
    #expect(counts == [2, 3])
    #expect(versions == [12, 12])
  }

  @Test func `names of the signature, metadata and their order are kept`() throws {
    var source = TestModel.floatClassifier()
    let output = UInt32(source.graphs[0].outputs[0])
    source.signatures = [TestModel.Signature("predict", inputs: [0], outputs: [output])]
    source.buffers.append([1, 2, 3])
    source.metadata = [("own", UInt32(source.buffers.count - 1))]
    let model = try Self.model(source)
    try ModelGraphCheck.check(model.span)
    let graph = try GraphReading(model)
    #expect(graph.signatures == ["predict"])
    #expect(try FloatGraph(source.bytes()).metadata.map(\.content) == [[1, 2, 3]])
  }

  @Test func `activations become outputs of a float graph`() throws {
    let graph = try FloatGraph(TestModel.floatClassifier().bytes())
    let plan = try LayerPlan(graph)
    let tensor = try #require(graph.tensors.firstIndex { $0.name == "active" })
    let model = QuantizedGraphWriter.model(graph, LayerPlan(like: plan), nil, returning: [tensor])
    try ModelGraphCheck.check(model.span)
    let outline = try GraphOutline.read(model.span)
    #expect(outline.outputs.map(\.shape) == [[1, 8, 8, 96]])
    // Operators that the activation does not need are left out, and its RELU is fused.
    #expect(outline.operators.map(\.name) == ["CONV_2D"])
  }
}
