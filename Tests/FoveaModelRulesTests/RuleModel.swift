// SPDX-License-Identifier: Apache-2.0

import Fovea
import FoveaMetadata
import FoveaTesting

/// A model that reshapes the numbers of its images: enough for all rules about tensors.
struct RuleModel: Sendable {
  /// A tensor of the image's twelve numbers, or of one.
  typealias Tensor = TestModel.Tensor

  var inputs = [uint8(1, 2, 2, 3)]
  var outputs = [uint8(1, 12)]
  var graphs = 1

  static func float(_ shape: Int32...) -> Tensor { Tensor(shape: shape) }
  static func uint8(_ shape: Int32...) -> Tensor { .quantized(shape, 3, 1 / 256) }
  static func int8(_ shape: Int32...) -> Tensor { .quantized(shape, 9, 1 / 256) }
  static func int32(_ shape: Int32...) -> Tensor { Tensor(shape: shape, type: 2) }

  /// An image of texts.
  static let text = Tensor(shape: [1, 2, 2, 3], type: 5)

  /// The model's file: every output is the first input, cast and in its own shape.
  func bytes() -> [UInt8] {
    func named(_ name: String, _ index: Int, _ tensor: Tensor) -> Tensor {
      var tensor = tensor
      tensor.name = index == 0 ? name : "\(name)\(index)"
      return tensor
    }
    var model = TestModel(
      tensors: inputs.enumerated().map { named("image", $0, $1) }, inputs: Array(0..<Int32(inputs.count)))
    for (index, output) in outputs.enumerated() {
      var source: Int32 = 0
      if output.type != inputs[0].type {
        var cast = output
        cast.shape = inputs[0].shape
        source = model.append(53, [0], makes: cast)
      }
      let shape = model.constant(output.shape)
      model.graphs[0].outputs.append(
        model.append(22, [source, shape], makes: named("scores", index, output)))
    }
    model.graphs = Array(repeating: model.graphs[0], count: graphs)
    return model.bytes()
  }
}

extension RuleModel {
  /// Metadata for the model, with a normalisation and labels if they are given.
  static func metadata(
    normalization: Normalization? = nil, labels: Bool = false,
    change: (inout ModelMetadata) -> Void = { _ in }
  ) -> ModelMetadata {
    var input = TensorMetadata(name: "image", content: .image(colorSpace: .rgb, defaultSize: nil))
    if let normalization { input.processUnits = [.normalization(normalization)] }
    var output = TensorMetadata(name: "scores", content: .features)
    if labels { output.files = [AssociatedFile(name: "labels.txt", kind: .axisLabels)] }
    var graph = ModelMetadata.Subgraph()
    graph.inputs = [input]
    graph.outputs = [output]
    var metadata = ModelMetadata()
    metadata.name = "Rules"
    metadata.subgraphs = [graph]
    change(&metadata)
    return metadata
  }

  /// The requested number of labels.
  static func labels(_ count: Int, name: String = "labels.txt") -> AssociatedFileContents {
    AssociatedFileContents(
      name: name, contents: Array((0..<count).map { "class \($0)" }.joined(separator: "\n").utf8))
  }
}
