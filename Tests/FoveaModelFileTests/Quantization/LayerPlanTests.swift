// SPDX-License-Identifier: Apache-2.0

import FoveaTesting
import Testing

@testable import FoveaModelFile

@Suite struct LayerPlanTests {
  private static func tensor(_ name: String, _ channels: Int32 = 64) -> TestModel.Tensor {
    TestModel.Tensor(shape: [1, 4, 4, channels], name: name)
  }

  /// An image, a chain of layers with a TANH and a RESHAPE between each two, and a tail of MUL and
  /// CONCATENATION.
  static func chainModel() -> TestModel {
    var generator = SeededGenerator(seed: 3)
    var model = TestModel(tensors: [tensor("image")], inputs: [0])
    var last: Int32 = 0
    for index in 0..<3 {
      let layer = model.convolution(
        of: last, from: 64, to: 64, size: (4, 4), name: "layer\(index)", &generator)
      let active = model.append(28, [layer], makes: tensor("tanh\(index)"))
      last = model.append(22, [active, model.constant([1, 4, 4, 64])], makes: tensor("shape\(index)"))
    }
    let boxes = model.append(18, [last, model.floats([8], [1])], makes: tensor("boxes"), options: [0: 0])
    let joined = model.append(2, [boxes, last], makes: tensor("joined", 128), options: [0: 3])
    model.graphs[0].outputs = [joined]
    return model
  }

  static func chain() throws -> FloatGraph { try FloatGraph(chainModel().bytes()) }

  @Test func `operators from which no layer can be reached are the tail`() throws {
    let graph = try Self.chain()
    let plan = try LayerPlan(graph)
    #expect(plan.layers == [0, 3, 6])
    #expect(plan.isTail == [false, false, false, false, false, false, false, true, true, true, true])
    #expect(plan.isInt8 == plan.isTail.map { !$0 })
    #expect(plan.boundary(of: graph).map { graph.tensors[$0].name } == ["layer2"])
    #expect(plan.lastLayers(of: graph) == [6])
  }

  @Test(
    arguments: [
      ([], [0, 1, 2, 3, 4, 5, 6]),
      // The RESHAPE in front of a float layer is float, and so is what follows it.
      ([3], [0, 1, 6]),
      ([0, 3], [6]), ([0], [3, 4, 5, 6]), ([6], [0, 1, 2, 3, 4]), ([0, 3, 6], []),
    ] as [([Int], [Int])])
  func `operators between float ones are float`(float: [Int], int8: [Int]) throws {
    let plan = try LayerPlan(try Self.chain(), float: Set(float))
    #expect(plan.isInt8.indices.filter { plan.isInt8[$0] } == int8)
  }

  @Test func `operators that are float in any plan have the true reason`() throws {
    var generator = SeededGenerator(seed: 3)
    var model = TestModel(tensors: [Self.tensor("image", 3)], inputs: [0])
    // 192 weights, PRELU, a convolution with weights that the graph computes, and the only layer.
    let few = model.convolution(of: 0, from: 3, to: 64, size: (4, 4), name: "few", &generator)
    let slopes = model.floats([Float](repeating: 0.1, count: 64), [1, 1, 64])
    let active = model.append(54, [few, slopes], makes: Self.tensor("active"))
    let weights = model.append(
      22, [active, model.constant([16, 1, 1, 64])],
      makes: TestModel.Tensor(shape: [16, 1, 1, 64], name: "weights"))
    let computed = model.append(
      3, [active, weights, model.floats([Float](repeating: 0, count: 16), [16])],
      makes: Self.tensor("computed", 16),
      options: [0: 0, 1: 1, 2: 1, 4: 1, 5: 1])
    let last = model.convolution(of: computed, from: 16, to: 64, size: (4, 4), name: "last", &generator)
    model.graphs[0].outputs = [last]
    let graph = try FloatGraph(model.bytes())
    #expect(
      try LayerPlan(graph).islands(of: graph) == [
        LayerPlan.Island(.computedWeights, "CONV_2D", 1), LayerPlan.Island(.fewWeights, "CONV_2D", 1),
        LayerPlan.Island(.noInt8Form, "PRELU", 1),
      ])
  }

  @Test func `a layer alone takes its activations along`() throws {
    let graph = try Self.chain()
    let plan = try LayerPlan(graph)
    let alone = LayerPlan(of: 3, in: graph, like: plan)
    #expect(alone.isInt8.indices.filter { alone.isInt8[$0] } == [3, 4])
  }

  @Test func `tensors that depend on an operator are found`() throws {
    let graph = try Self.chain()
    #expect(
      graph.reached(from: 6).map { graph.tensors[$0].name }.sorted() == [
        "boxes", "joined", "layer2", "shape2", "tanh2",
      ])
  }

  /// An operator between two PRELU, which compute in float.
  struct Between: Sendable, CustomTestStringConvertible {
    let name: String
    let isInt8: Bool
    let channels: Int
    /// Adds the operator to a tensor and returns its output.
    let add: @Sendable (inout TestModel, Int32, inout SeededGenerator) -> Int32
    var testDescription: String { name }
  }

  @Test(arguments: [
    // 8 products for each converted number.
    Between(name: "CONV_2D of 16 channels", isInt8: false, channels: 16) { model, input, generator in
      model.convolution(of: input, from: 16, to: 16, size: (4, 4), name: "made", &generator)
    },
    Between(name: "CONV_2D of 64 channels", isInt8: true, channels: 64) { model, input, generator in
      model.convolution(of: input, from: 64, to: 64, size: (4, 4), name: "made", &generator)
    },
    Between(name: "DEPTHWISE_CONV_2D", isInt8: false, channels: 64) { model, input, _ in
      model.append(
        4, [input, model.floats([Float](repeating: 1, count: 576), [1, 3, 3, 64])], makes: tensor("made"),
        options: [0: 0, 1: 1, 2: 1, 3: 1, 5: 1, 6: 1])
    },
    // A wide layer behind it makes a depthwise convolution worth its conversion.
    Between(name: "DEPTHWISE_CONV_2D and CONV_2D", isInt8: true, channels: 64) { model, input, generator in
      let deep = model.append(
        4, [input, model.floats([Float](repeating: 1, count: 576), [1, 3, 3, 64])], makes: tensor("deep"),
        options: [0: 0, 1: 1, 2: 1, 3: 1, 5: 1, 6: 1])
      return model.convolution(of: deep, from: 64, to: 64, size: (4, 4), name: "made", &generator)
    },
    Between(name: "MAX_POOL_2D", isInt8: false, channels: 64) { model, input, _ in
      model.append(17, [input], makes: tensor("made"), options: [0: 0, 1: 1, 2: 1, 3: 3, 4: 3])
    },
  ])
  func `what lies between float operators is float, if int8 saves less than the conversions take`(
    row: Between
  ) throws {
    let channels = Int32(row.channels)
    var generator = SeededGenerator(seed: 3)
    var model = TestModel(tensors: [Self.tensor("image", channels)], inputs: [0])
    let slopes = model.floats([Float](repeating: 0.1, count: row.channels), [1, 1, channels])
    let first = model.convolution(
      of: 0, from: row.channels, to: row.channels, size: (4, 4), name: "first", &generator)
    let before = model.append(54, [first, slopes], makes: Self.tensor("before", channels))
    let made = row.add(&model, before, &generator)
    let after = model.append(54, [made, slopes], makes: Self.tensor("after", channels))
    let last = model.convolution(
      of: after, from: row.channels, to: 64, size: (4, 4), name: "last", &generator)
    model.graphs[0].outputs = [last]
    let graph = try FloatGraph(model.bytes())
    let plan = try LayerPlan(graph)
    let place = try #require(graph.nodes.firstIndex { $0.outputs == [Int(made)] })
    #expect(plan.isInt8[place] == row.isInt8)
    #expect(plan.isInt8.first == true)
    #expect(plan.int8Layers.count == (row.isInt8 ? plan.layers.count : 2))
  }

  @Test func `a sum of numbers from float operators and a layer is float in front of a float operator`()
    throws
  {
    var generator = SeededGenerator(seed: 3)
    var model = TestModel(tensors: [Self.tensor("image")], inputs: [0])
    let slopes = model.floats([Float](repeating: 0.1, count: 64), [1, 1, 64])
    let first = model.convolution(of: 0, from: 64, to: 64, size: (4, 4), name: "first", &generator)
    let active = model.append(54, [first, slopes], makes: Self.tensor("active"))
    let second = model.convolution(of: active, from: 64, to: 64, size: (4, 4), name: "second", &generator)
    let sum = model.append(0, [active, second], makes: Self.tensor("sum"), options: [0: 0])
    let after = model.append(54, [sum, slopes], makes: Self.tensor("after"))
    let last = model.convolution(of: after, from: 64, to: 64, size: (4, 4), name: "last", &generator)
    model.graphs[0].outputs = [last]
    let plan = try LayerPlan(try FloatGraph(model.bytes()))
    #expect(plan.isInt8 == [true, false, true, false, false, true])
  }
}
