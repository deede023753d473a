// SPDX-License-Identifier: Apache-2.0

import FoveaTesting
import Testing

@testable import FoveaModelFile

@Suite struct FloatGraphTests {
  struct Refusal: Sendable, CustomTestStringConvertible {
    let code: MetadataCode
    let part: String
    let change: @Sendable (inout TestModel) -> Void
    var testDescription: String { part }
  }

  @Test(arguments: [
    Refusal(code: .notQuantizable, part: "has 2 subgraphs") { $0.graphs.append($0.graphs[0]) },
    Refusal(code: .notQuantizable, part: "has 2 inputs") { model in
      model.graphs[0].tensors.append([1, 4])
      model.graphs[0].inputs.append(Int32(model.graphs[0].tensors.count - 1))
    },
    Refusal(code: .alreadyQuantized, part: "'image' is int8") { $0.graphs[0].tensors[0].type = 9 },
    Refusal(code: .alreadyQuantized, part: "'scores' is uint8") { model in
      model.graphs[0].tensors[model.graphs[0].tensors.count - 1].type = 3
    },
    Refusal(code: .alreadyQuantized, part: "'first/weights' is int8") { model in
      model.buffers[1] = [UInt8](repeating: 1, count: 288)
      model.graphs[0].tensors[1].type = 9
    },
    Refusal(code: .notQuantizable, part: "has an input of int32") { $0.graphs[0].tensors[0].type = 2 },
    Refusal(code: .notQuantizable, part: "leaves the shape of 'image' open") {
      $0.graphs[0].tensors[0].signature = [-1, -1, 8, 3]
    },
    Refusal(code: .notQuantizable, part: "has sparse weights") { $0 = SparseParameters.model() },
    Refusal(code: .notQuantizable, part: "keeps state") { model in
      model.graphs[0].tensors.append(TestModel.Tensor(shape: [1], isVariable: true))
    },
  ])
  func `a graph that cannot be rewritten is refused with its reason`(refusal: Refusal) {
    var model = TestModel.floatClassifier()
    refusal.change(&model)
    let error = failure { () throws(MetadataError) in try FloatGraph(model.bytes()) }
    #expect(error?.code == refusal.code)
    #expect(error?.message.contains(refusal.part) == true, "\(error?.message ?? "no error")")
  }

  @Test func `a graph without a layer of enough weights is refused`() throws {
    let graph = try FloatGraph(TestModel.runnable().bytes())
    let error = failure { () throws(MetadataError) in try LayerPlan(graph) }
    #expect(error?.code == .notQuantizable)
    #expect(error?.message.contains("no layer with at least 256") == true)
  }

  @Test func `weights in float16 become float32`() throws {
    var model = TestModel(tensors: [[1, 4]], inputs: [0])
    let numbers: [Float] = [0.5, -1.25, 0, 3]
    model.buffers.append(TensorBytes.of(numbers.map(Binary16.bits)))
    model.graphs[0].tensors.append(TestModel.Tensor(shape: [4], type: 1, buffer: 1))
    let wide = model.append(6, [1], makes: [4])
    let sum = model.append(0, [0, wide], makes: [1, 4], options: [0: 0])
    model.graphs[0].outputs = [sum]
    let graph = try FloatGraph(model.bytes())
    #expect(graph.nodes.map(\.kind.number) == [0])
    #expect(graph.tensors[Int(wide)].floats == numbers)
  }

  @Test func `constants of a small file cannot become many`() throws {
    var shared = TestModel(tensors: [[1, 64]], inputs: [0])
    let weights = shared.floats([Float](repeating: 0.5, count: 64 * 64), [64, 64])
    var output: Int32 = 0
    for _ in 0..<100 { output = shared.append(9, [output, weights], makes: [1, 64], options: [0: 0]) }
    shared.graphs[0].outputs = [output]
    var widened = TestModel(tensors: [[1, 4096]], inputs: [0])
    widened.buffers.append([UInt8](repeating: 0, count: 2 * 4096))
    widened.graphs[0].tensors.append(TestModel.Tensor(shape: [4096], type: 1, buffer: 1))
    output = 0
    for _ in 0..<20 {
      let wide = widened.append(6, [1], makes: [4096])
      output = widened.append(0, [output, wide], makes: [1, 4096], options: [0: 0])
    }
    widened.graphs[0].outputs = [output]
    for (model, part) in [(shared, "read constants of more than"), (widened, "float16 constants")] {
      let error = failure { () throws(MetadataError) in try FloatGraph(model.bytes()) }
      #expect(error?.code == .damagedModel)
      #expect(error?.message.contains(part) == true, "\(error?.message ?? "no error")")
    }
  }

  @Test func `a batch that the file leaves open is one image`() throws {
    var model = TestModel.floatClassifier()
    model.graphs[0].tensors[0].signature = [-1, 8, 8, 3]
    #expect(try FloatGraph(model.bytes()).tensors[0].shape == [1, 8, 8, 3])
  }

  @Test func `damaged models are refused without a crash`() throws {
    let bytes = TestModel.floatClassifier().bytes()
    var generator = SeededGenerator(seed: 11)
    for _ in 0..<300 {
      var damaged = bytes
      for _ in 0..<4 {
        damaged[Int.random(in: 8..<damaged.count, using: &generator)] = .random(
          in: 0...255, using: &generator)
      }
      guard let graph = try? FloatGraph(damaged), let plan = try? LayerPlan(graph) else { continue }
      let scales = TensorScales(graph, plan, input: .init(.scores(.int8), range: 0...1)) { _ in -1...1 }
      _ = QuantizedGraphWriter.model(graph, plan, scales, description: nil)
    }
  }

  struct Fusion: Sendable, CustomTestStringConvertible {
    let name: String
    let kinds: [String]
    /// The fused activation of the operator that makes the last tensor.
    var activation: UInt8 = 0
    /// Adds operators behind a convolution, and returns the outputs.
    let add: @Sendable (inout TestModel, Int32) -> [Int32]
    var testDescription: String { name }
  }

  private static func tensor(_ name: String, _ channels: Int32 = 16) -> TestModel.Tensor {
    TestModel.Tensor(shape: [1, 4, 4, channels], name: name)
  }

  @Test(arguments: [
    Fusion(name: "RELU", kinds: ["CONV_2D"], activation: 1) { model, layer in
      [model.append(19, [layer], makes: tensor("active"))]
    },
    Fusion(name: "RELU_N1_TO_1", kinds: ["CONV_2D"], activation: 2) { model, layer in
      [model.append(20, [layer], makes: tensor("active"))]
    },
    Fusion(name: "RELU6 of a sum", kinds: ["CONV_2D", "ADD"], activation: 3) { model, layer in
      let sum = model.append(0, [layer, 0], makes: tensor("sum"), options: [0: 0])
      return [model.append(21, [sum], makes: tensor("active"))]
    },
    // Options that leave out the field of the activation.
    Fusion(name: "RELU of a product", kinds: ["CONV_2D", "MUL"], activation: 1) { model, layer in
      let product = model.append(18, [layer, 0], makes: tensor("product"), options: [:])
      return [model.append(19, [product], makes: tensor("active"))]
    },
    Fusion(name: "a second RELU", kinds: ["CONV_2D", "RELU"]) { model, layer in
      let active = model.append(19, [layer], makes: tensor("active"))
      return [model.append(19, [active], makes: tensor("again"))]
    },
    Fusion(name: "a layer with two readers", kinds: ["CONV_2D", "RELU", "ADD"]) { model, layer in
      let active = model.append(19, [layer], makes: tensor("active"))
      return [model.append(0, [active, layer], makes: tensor("sum"), options: [0: 0])]
    },
    Fusion(name: "a layer that is an output", kinds: ["CONV_2D", "RELU"]) { model, layer in
      [layer, model.append(19, [layer], makes: tensor("active"))]
    },
    Fusion(name: "a damaged bias", kinds: ["CONV_2D", "RELU"]) { model, layer in
      model.buffers[2] = TensorBytes.of([Float](repeating: .infinity, count: 16))
      return [model.append(19, [layer], makes: tensor("active"))]
    },
    Fusion(name: "RELU of the image", kinds: ["CONV_2D", "RELU", "ADD"]) { model, layer in
      let active = model.append(19, [0], makes: tensor("active"))
      return [model.append(0, [layer, active], makes: tensor("sum"), options: [0: 0])]
    },
    Fusion(name: "LOGISTIC", kinds: ["CONV_2D", "LOGISTIC"]) { model, layer in
      [model.append(14, [layer], makes: tensor("active"))]
    },
  ])
  func `an activation that clips is fused with an operator that nothing else reads`(row: Fusion) throws {
    var generator = SeededGenerator(seed: 3)
    var model = TestModel(tensors: [Self.tensor("image")], inputs: [0])
    let layer = model.convolution(of: 0, from: 16, to: 16, size: (4, 4), name: "layer", &generator)
    model.graphs[0].outputs = row.add(&model, layer)
    let graph = try FloatGraph(model.bytes())
    #expect(graph.nodes.map { "\($0.kind)" } == row.kinds)
    #expect(graph.layerName(0) == "layer")
    let last = try #require(graph.nodes.last)
    #expect(last.outputs.first == graph.outputs.last)
    guard let field = OutputEnds.fusedField(last.kind.builtin), case .plain(let options) = last.options.table
    else { return #expect(row.activation == 0) }
    #expect(options.uint8(field) == row.activation)
    // The other options are the same.
    #expect(last.kind.builtin != .conv2D || options.uint8(FlatField(1, "options.stride_w")) == 1)
  }
}
