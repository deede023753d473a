// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import FoveaTesting

@testable import FoveaMetadata

/// Models for heads, and heads.
enum HeadFixture {
  /// A model of Tests/Fixtures/models.
  static func model(_ name: String) throws -> [UInt8] {
    let path = PackageRoot.path + "/Tests/Fixtures/models/\(name).tflite"
    return [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
  }

  static func graph(_ name: String, _ layer: EmbeddingLayer = .pool) throws -> EmbeddingGraph {
    try EmbeddingGraph(model: model(name), name: name, layer: layer)
  }

  /// image [1, 4, 4, 3] → convolution → mean over the map → RELU → dense layer → softmax.
  static func floats(channels: Int32 = 2) -> TestModel {
    var model = TestModel(
      tensors: [
        [1, 4, 4, 3], TestModel.Tensor(shape: [channels, 1, 1, 3], buffer: 1),
        .init(shape: [1, 4, 4, channels]),
      ],
      operators: [.init(code: 3, inputs: [0, 1], outputs: [2], options: [0: 0, 1: 1, 2: 1])],
      inputs: [0], buffers: [[], [UInt8](repeating: 0, count: 12 * Int(channels))])
    let axes = model.constant([1, -2])
    let pooled = model.append(40, [2, axes], makes: .init(shape: [1, channels], name: "pooled"))
    let hidden = model.append(19, [pooled], makes: .init(shape: [1, channels], name: "hidden"))
    model.buffers.append([UInt8](repeating: 0, count: 12 * Int(channels)))
    let weights = Int32(model.graphs[0].tensors.count)
    model.graphs[0].tensors.append(.init(shape: [3, channels], buffer: UInt32(model.buffers.count - 1)))
    let logits = model.append(9, [hidden, weights, -1], makes: .init(shape: [1, 3], name: "logits"))
    model.graphs[0].outputs = [model.append(25, [logits], makes: .init(shape: [1, 3], name: "scores"))]
    return model
  }

  /// A head of three classes for an embedding of three numbers.
  static func head(_ form: LinearHead.Form = .auto) -> LinearHead {
    LinearHead(
      weights: [1, -2, 0.5, 0, 0, 0, 0.25, 4, -4], bias: [0.5, -1, 0], form: form, logitRange: -3...5)
  }
}
