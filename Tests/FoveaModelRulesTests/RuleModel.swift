// SPDX-License-Identifier: Apache-2.0

import Fovea

@testable import FoveaMetadata

/// A model that takes pictures and answers their numbers in another shape: all that rules about tensors ask for.
struct RuleModel: Sendable {
  /// A tensor of the picture's twelve numbers, or of one.
  struct Tensor: Sendable {
    var shape: [Int32]
    var type: UInt8 = GraphSchema.ElementType.uint8
  }

  var inputs = [Tensor(shape: [1, 2, 2, 3])]
  var outputs = [Tensor(shape: [1, 12])]
  var graphs = 1

  static func float(_ shape: Int32...) -> Tensor {
    Tensor(shape: shape, type: GraphSchema.ElementType.float32)
  }
  static func uint8(_ shape: Int32...) -> Tensor { Tensor(shape: shape) }
  static func int8(_ shape: Int32...) -> Tensor { Tensor(shape: shape, type: GraphSchema.ElementType.int8) }
  static func int32(_ shape: Int32...) -> Tensor { Tensor(shape: shape, type: GraphSchema.ElementType.int32) }

  /// A picture of texts: number 5 in the schema.
  static let text = Tensor(shape: [1, 2, 2, 3], type: 5)

  private static let castCode: UInt32 = 53
  private static let reshapeCode = GraphSchema.Builtin.reshape.rawValue

  /// The model's file: every output is the first input, cast and in its own shape.
  func bytes() -> [UInt8] {
    var tensors = inputs.enumerated().map { node("image\($0 == 0 ? "" : "\($0)")", $1) }
    var buffers: [[UInt8]] = [[]]
    var operators: [FlatNode] = []
    var answers: [UInt32] = []
    for (index, output) in outputs.enumerated() {
      var source: UInt32 = 0
      if output.type != inputs[0].type {
        tensors.append(node("cast\(index)", Tensor(shape: inputs[0].shape, type: output.type)))
        operators.append(Self.node(1, [0], [UInt32(tensors.count - 1)]))
        source = UInt32(tensors.count - 1)
      }
      buffers.append(
        output.shape.flatMap { number in (0..<4).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) } })
      let shape = Tensor(shape: [Int32(output.shape.count)], type: GraphSchema.ElementType.int32)
      tensors.append(node("shape\(index)", shape, buffer: UInt32(buffers.count - 1)))
      tensors.append(node("scores\(index == 0 ? "" : "\(index)")", output))
      operators.append(Self.node(0, [source, UInt32(tensors.count - 2)], [UInt32(tensors.count - 1)]))
      answers.append(UInt32(tensors.count - 1))
    }
    var subgraph = FlatNode()
    subgraph.set(GraphSchema.Subgraph.tensors, nodes: tensors)
    subgraph.set(GraphSchema.Subgraph.inputs, .uint32s(inputs.indices.map(UInt32.init)))
    subgraph.set(GraphSchema.Subgraph.outputs, .uint32s(answers))
    subgraph.set(GraphSchema.Subgraph.operators, nodes: operators)
    var root = FlatNode()
    root.set(ModelFile.Field.version, .uint32(3))
    root.set(
      ModelFile.Field.operatorCodes,
      nodes: [Self.reshapeCode, Self.castCode].map { number in
        var code = FlatNode()
        code.set(GraphSchema.Code.deprecated, .uint8(UInt8(number)))
        code.set(GraphSchema.Code.builtin, .uint32(number))
        code.set(GraphSchema.Code.version, .uint32(1))
        return code
      })
    root.set(ModelFile.Field.subgraphs, nodes: Array(repeating: subgraph, count: graphs))
    root.set(
      ModelFile.Field.buffers,
      nodes: buffers.map { content in
        var buffer = FlatNode()
        if !content.isEmpty { buffer.set(ModelFile.Field.bufferData, .bytes(content, alignment: 16)) }
        return buffer
      })
    var writer = FlatBufferWriter(identifier: ModelFile.identifier)
    writer.root(root)
    return writer.bytes
  }

  private static func node(_ code: UInt32, _ inputs: [UInt32], _ outputs: [UInt32]) -> FlatNode {
    var node = FlatNode()
    node.set(GraphSchema.Operator.code, .uint32(code))
    node.set(GraphSchema.Operator.inputs, .uint32s(inputs))
    node.set(GraphSchema.Operator.outputs, .uint32s(outputs))
    return node
  }

  private func node(_ name: String, _ tensor: Tensor, buffer: UInt32 = 0) -> FlatNode {
    var node = FlatNode()
    node.set(GraphSchema.Tensor.shape, .uint32s(tensor.shape.map(UInt32.init(bitPattern:))))
    node.set(GraphSchema.Tensor.type, .uint8(tensor.type))
    node.set(GraphSchema.Tensor.buffer, .uint32(buffer))
    node.set(GraphSchema.Tensor.name, string: name)
    if [GraphSchema.ElementType.uint8, GraphSchema.ElementType.int8].contains(tensor.type) {
      var quantization = FlatNode()
      quantization.set(GraphSchema.Quantization.scale, floats: [1 / 256])
      quantization.set(GraphSchema.Quantization.zeroPoint, .uint64s([0]))
      node.set(GraphSchema.Tensor.quantization, .table(quantization))
    }
    return node
  }
}

extension RuleModel {
  /// Metadata for the model, with a normalisation and labels where they are given.
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

  /// As many labels as are asked for.
  static func labels(_ count: Int, name: String = "labels.txt") -> AssociatedFileContents {
    AssociatedFileContents(
      name: name, contents: Array((0..<count).map { "class \($0)" }.joined(separator: "\n").utf8))
  }
}
