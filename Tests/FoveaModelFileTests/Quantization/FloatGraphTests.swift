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
}
