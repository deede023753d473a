// SPDX-License-Identifier: Apache-2.0

import FoveaTesting
import Testing

@testable import FoveaMetadata

@Suite struct EmbeddingPointTests {
  struct Found: Sendable, CustomTestStringConvertible {
    var model: String
    var layer = EmbeddingLayer.pool
    var count: Int
    var quantization: TensorScale?
    var testDescription: String { "\(model) at \(layer)" }
  }

  @Test(arguments: [
    Found(
      model: "classifier_uint8", count: 3,
      quantization: TensorScale(.uint8, scale: 0.023529412, zeroPoint: 0)),
    // The input of the dense layer is the reshaped mean.
    Found(
      model: "classifier_uint8", layer: .last, count: 3,
      quantization: TensorScale(.uint8, scale: 0.023529412, zeroPoint: 0)),
    Found(model: "logits", count: 3), Found(model: "logits", layer: .last, count: 3),
    // No dense layer: the model itself ends in the mean.
    Found(model: "colors_unit", count: 3), Found(model: "described_classify", count: 3),
    // A dense layer that is not the end.
    Found(model: "embedding", count: 3),
  ])
  func `the embedding is found`(_ found: Found) throws {
    let graph = try HeadFixture.graph(found.model, found.layer)
    #expect(graph.count == found.count)
    #expect(graph.quantization == found.quantization)
  }

  @Test func `pool comes before hidden layers, last after them, and a name anywhere`() throws {
    func name(_ layer: EmbeddingLayer) throws -> String {
      try EmbeddingGraph(model: HeadFixture.floats().bytes(), name: "floats", layer: layer).tensorName
    }
    #expect(try name(.pool) == "pooled")
    #expect(try name(.last) == "hidden")
    #expect(try name(.tensor("logits")) == "logits")
  }

  @Test func `a mean that only scales channels is not the pool`() throws {
    // map · mean(map) → mean: the first mean belongs to a squeeze-and-excitation block.
    var model = HeadFixture.floats()
    let axes = model.constant([1, 2])
    let squeezed = model.append(40, [2, axes], makes: [1, 1, 1, 2], options: [0: 1])
    let excited = model.append(18, [2, squeezed], makes: [1, 4, 4, 2])
    let pooled = model.append(40, [excited, axes], makes: .init(shape: [1, 2], name: "second"))
    model.graphs[0].operators = [model.graphs[0].operators[0]] + model.graphs[0].operators.suffix(3)
    model.graphs[0].outputs = [pooled]
    let graph = try EmbeddingGraph(model: model.bytes(), name: "squeezed")
    #expect(graph.tensorName == "second")
    #expect(try GraphReading(graph.bytes()).operators.map(\.code) == [3, 40, 18, 40])
    model.graphs[0].operators.removeLast()
    model.graphs[0].outputs = [excited]
    #expect(
      failure { () throws(MetadataError) in
        try EmbeddingGraph(model: model.bytes(), name: "squeezed")
      }?.message == "'squeezed' ends in CONV_2D, MEAN, MUL, not in a dense layer")
  }

  struct Refusal: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var layer = EmbeddingLayer.pool
    var message: String
    var change: @Sendable (inout TestModel) -> Void = { _ in }
  }

  static let refusals = [
    Refusal(testDescription: "several subgraphs", message: "has 2 subgraphs, expected 1") {
      $0.graphs.append($0.graphs[0])
    },
    Refusal(testDescription: "a variable", message: "keeps state between runs") {
      $0.graphs[0].tensors.append(TestModel.Tensor(shape: [1], isVariable: true))
    },
    Refusal(testDescription: "two inputs", message: "has 2 inputs, expected one image") {
      $0.graphs[0].tensors.append([1, 4, 4, 3])
      $0.graphs[0].inputs.append(Int32($0.graphs[0].tensors.count - 1))
    },
    Refusal(
      testDescription: "two images at once",
      message: "has an input [2, 4, 4, 3], expected one image of a fixed size, [1, height, width, 3]"
    ) { model in
      for tensor in 0...2 where tensor != 1 { model.graphs[0].tensors[tensor].shape[0] = 2 }
    },
    Refusal(
      testDescription: "an open size",
      message: "has an input [1, -1, -1, 3], expected one image of a fixed size, [1, height, width, 3]"
    ) { $0.graphs[0].tensors[0].signature = [1, -1, -1, 3] },
    Refusal(
      testDescription: "no dense end", layer: .last,
      message: "ends in MEAN, RELU, FULLY_CONNECTED, EXP, not in a dense layer"
    ) { model in model.graphs[0].operators[4].code = 47 },
    Refusal(
      testDescription: "a detector",
      message: "is a detector: it has the operator TFLite_Detection_PostProcess"
    ) {
      $0.appendPostProcess()
    },
    Refusal(
      testDescription: "no mean", message: "has no mean over height and width before its last dense layer"
    ) { model in
      // Over channels, which leaves height and width.
      model.graphs[0].operators[1].code = 82
    },
    Refusal(
      testDescription: "too many numbers", layer: .tensor("map"),
      message: "has an embedding of 16386 numbers, expected at most 16384"
    ) {
      $0.graphs[0].tensors[2].shape = [1, 1, 8193, 2]
      $0.graphs[0].tensors[2].name = "map"
      $0.graphs[0].tensors[0].shape = [1, 1, 8193, 3]
    },
    Refusal(
      testDescription: "an unknown type", layer: .tensor("map"),
      message:
        "has an embedding of the element type 7 with 0 scales, expected float32, or int8 or uint8 with one"
    ) {
      $0.graphs[0].tensors[2].type = 7
      $0.graphs[0].tensors[2].name = "map"
    },
    Refusal(
      testDescription: "a missing name", layer: .tensor("pulled"),
      message: "computes no tensor 'pulled'"),
    Refusal(testDescription: "a constant", layer: .tensor("weights"), message: "computes no tensor 'weights'")
    {
      $0.graphs[0].tensors[1].name = "weights"
    },
    Refusal(testDescription: "the input", layer: .tensor("image"), message: "computes no tensor 'image'") {
      $0.graphs[0].tensors[0].name = "image"
    },
  ]

  @Test(arguments: refusals) func `other graphs are rejected`(_ refusal: Refusal) {
    var model = HeadFixture.floats()
    refusal.change(&model)
    let error = failure { () throws(MetadataError) in
      try EmbeddingGraph(model: model.bytes(), name: "other", layer: refusal.layer)
    }
    #expect(error?.code == .noEmbedding)
    #expect(error?.message == "'other' \(refusal.message)")
    #expect(error?.remedy.description.isEmpty == false)
  }

  @Test func `a misspelt name is answered with the nearest`() {
    let error = failure { () throws(MetadataError) in
      try EmbeddingGraph(model: HeadFixture.floats().bytes(), name: "other", layer: .tensor("Poolde"))
    }
    #expect(error?.remedy == "Similar names are 'pooled'")
  }

  @Test(arguments: ["fomo", "yolov10", "picture", "ssd_postprocess", "landmarks", "yolov8_int8", "nanodet"])
  func `detectors and image outputs are rejected`(_ model: String) throws {
    let bytes = try HeadFixture.model(model)
    let error = failure { () throws(MetadataError) in try EmbeddingGraph(model: bytes, name: model) }
    #expect(error?.code == .noEmbedding, "\(error.map(String.init(describing:)) ?? "taken")")
  }

  @Test func `a file that is not a model, or a damaged one, is an error with the name`() throws {
    #expect(
      failure { () throws(MetadataError) in try EmbeddingGraph(model: [1, 2, 3], name: "x") }?.code
        == .notAModel)
    var model = HeadFixture.floats()
    model.graphs[0].operators[0].inputs[0] = 99
    let error = failure { () throws(MetadataError) in try EmbeddingGraph(model: model.bytes(), name: "x") }
    #expect(error?.code == .damagedModel)
    #expect(error?.message.hasPrefix("'x': operator 0 uses tensor 99") == true)
  }
}
