// SPDX-License-Identifier: Apache-2.0

import FoveaTesting
import Testing

@testable import FoveaModelFile

@Suite struct LayerPlanTests {
  /// An image, a chain of layers with a PAD and a RELU between each two, and a tail of MUL and CONCATENATION.
  static func chain() throws -> FloatGraph {
    var generator = SeededGenerator(seed: 3)
    var model = TestModel(tensors: [TestModel.Tensor(shape: [1, 4, 4, 16], name: "image")], inputs: [0])
    var last: Int32 = 0
    for index in 0..<3 {
      let layer = model.convolution(
        of: last, from: 16, to: 16, size: (4, 4), name: "layer\(index)", &generator)
      let active = model.append(
        19, [layer], makes: TestModel.Tensor(shape: [1, 4, 4, 16], name: "relu\(index)"))
      last = model.append(
        22, [active, model.constant([1, 4, 4, 16])],
        makes: TestModel.Tensor(shape: [1, 4, 4, 16], name: "shape\(index)"))
    }
    let boxes = model.append(
      18, [last, model.floats([8], [1])], makes: TestModel.Tensor(shape: [1, 4, 4, 16], name: "boxes"),
      options: [0: 0])
    let joined = model.append(
      2, [boxes, last], makes: TestModel.Tensor(shape: [1, 4, 4, 32], name: "joined"), options: [0: 3])
    model.graphs[0].outputs = [joined]
    return try FloatGraph(model.bytes())
  }

  @Test func `operators from which no layer can be reached are the tail`() throws {
    let graph = try Self.chain()
    let plan = try LayerPlan(graph)
    #expect(plan.layers == [0, 3, 6])
    #expect(plan.isTail == [false, false, false, false, false, false, false, true, true, true, true])
    #expect(plan.isInt8 == plan.isTail.map { !$0 })
    #expect(plan.boundary(of: graph).map { graph.tensors[$0].name } == ["layer2"])
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
        "boxes", "joined", "layer2", "relu2", "shape2",
      ])
  }
}
