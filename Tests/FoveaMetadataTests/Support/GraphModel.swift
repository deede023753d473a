// SPDX-License-Identifier: Apache-2.0

@testable import FoveaMetadata

/// A small model whose graph a test can break in one place: image → convolution → ReLU → reshape, and what else is added.
struct GraphModel {
  struct Tensor {
    var shape: [Int32]
    var type: UInt8 = 0
    var buffer: UInt32 = 0
    var scales: [Float] = []
    var zeroPoints: [Int64] = []
    var dimension: UInt32 = 0
    var isVariable = false
    var signature: [Int32] = []
  }

  struct Operator {
    var code: UInt32
    var inputs: [Int32]
    var outputs: [Int32]
    /// Numbers of 32 bits by their field; one of 8 bits fits in, too.
    var options: [Int: Int32]?
    var newOptions: [Int: Int32]?
    var custom: [UInt8]?
  }

  struct Graph {
    var tensors: [Tensor]
    var operators: [Operator]
    var inputs: [Int32]
    var outputs: [Int32]
  }

  var graphs: [Graph]
  var buffers: [[UInt8]]
  var customName = "TFLite_Detection_PostProcess"
  /// The graph and the tensor of a signature's only input.
  var signature: (graph: UInt32, tensor: UInt32)?

  static let convolution: UInt32 = 3

  init() {
    buffers = [[], [UInt8](repeating: 0, count: 4 * 2 * 3 * 3 * 3), [UInt8](repeating: 0, count: 8)]
    graphs = [
      Graph(
        tensors: [
          Tensor(shape: [1, 8, 6, 3]), Tensor(shape: [2, 3, 3, 3], buffer: 1), Tensor(shape: [2], buffer: 2),
          Tensor(shape: [1, 4, 3, 2]), Tensor(shape: [1, 4, 3, 2]), Tensor(shape: [1, 24]),
        ],
        operators: [
          Operator(
            code: Self.convolution, inputs: [0, 1, 2], outputs: [3], options: [0: 0, 1: 2, 2: 2, 4: 1, 5: 1]),
          Operator(code: 19, inputs: [3], outputs: [4]), Operator(code: 22, inputs: [4], outputs: [5]),
        ], inputs: [0], outputs: [5])
    ]
  }

  /// Adds an operator with an output of its own at the end; what it reads is there already, or is added as constant.
  mutating func append(_ code: UInt32, _ inputs: [Int32], makes shape: [Int32], options: [Int: Int32]? = nil)
  {
    graphs[0].tensors.append(Tensor(shape: shape))
    graphs[0].operators.append(
      Operator(code: code, inputs: inputs, outputs: [Int32(graphs[0].tensors.count - 1)], options: options))
  }

  /// Adds a constant of int32 and gives its number.
  mutating func constant(_ numbers: [Int32]) -> Int32 {
    buffers.append(
      numbers.flatMap { number in (0..<4).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) } })
    graphs[0].tensors.append(
      Tensor(shape: [Int32(numbers.count)], type: 2, buffer: UInt32(buffers.count - 1)))
    return Int32(graphs[0].tensors.count - 1)
  }

  /// Adds the operator that ends detectors: 10 boxes of 3 classes and the background.
  mutating func appendPostProcess(
    _ options: [String: Int] = [:], anchors: [Int32] = [10, 4], scores: [Int32] = [1, 10, 4]
  ) {
    var all = [
      "max_detections": 5, "max_classes_per_detection": 1, "num_classes": 3, "detections_per_class": 100,
    ]
    all.merge(options) { $1 }
    let first = Int32(graphs[0].tensors.count)
    graphs[0].tensors += [
      Tensor(shape: [1, 10, 4]), Tensor(shape: scores),
      Tensor(shape: anchors, buffer: UInt32(buffers.count)), Tensor(shape: []),
      Tensor(shape: []), Tensor(shape: []), Tensor(shape: []),
    ]
    graphs[0].inputs += [first, first + 1]
    buffers.append([UInt8](repeating: 0, count: Int(anchors.reduce(4, *))))
    graphs[0].operators.append(
      Operator(
        code: 32, inputs: [first, first + 1, first + 2], outputs: (3...6).map { first + $0 },
        custom: FlexMapBytes.map(all)))
  }

  func bytes() -> [UInt8] {
    let codes = Set(graphs.flatMap { $0.operators.map(\.code) }).sorted()
    var root = FlatNode()
    root.set(ModelFile.Field.version, .uint32(3))
    root.set(ModelFile.Field.operatorCodes, nodes: codes.map(code))
    root.set(ModelFile.Field.subgraphs, nodes: graphs.map { graph($0, codes) })
    root.set(
      ModelFile.Field.buffers,
      nodes: buffers.map { content in
        var buffer = FlatNode()
        if !content.isEmpty { buffer.set(ModelFile.Field.bufferData, .bytes(content, alignment: 16)) }
        return buffer
      })
    if let signature {
      var input = FlatNode()
      input.set(FlatField(0, "name"), string: "image")
      input.set(FlatField(1, "tensor_index"), .uint32(signature.tensor))
      var node = FlatNode()
      node.set(FlatField(0, "inputs"), nodes: [input])
      node.set(FlatField(4, "subgraph_index"), .uint32(signature.graph))
      root.set(ModelFile.Field.signatureDefs, nodes: [node])
    }
    var writer = FlatBufferWriter(identifier: ModelFile.identifier)
    writer.root(root)
    return writer.bytes
  }

  private func code(_ number: UInt32) -> FlatNode {
    var node = FlatNode()
    node.set(GraphSchema.Code.deprecated, .uint8(UInt8(min(number, 127))))
    node.set(GraphSchema.Code.builtin, .uint32(number))
    node.set(GraphSchema.Code.custom, string: number == 32 ? customName : nil)
    return node
  }

  private func graph(_ graph: Graph, _ codes: [UInt32]) -> FlatNode {
    func numbers(_ values: [Int32]) -> FlatValue { .uint32s(values.map(UInt32.init(bitPattern:))) }
    func options(_ fields: [Int: Int32]?) -> FlatValue? {
      fields.map { fields in
        var node = FlatNode()
        for (id, value) in fields { node.set(FlatField(id, ""), .uint32(UInt32(bitPattern: value))) }
        return .table(node)
      }
    }
    var node = FlatNode()
    node.set(GraphSchema.Subgraph.tensors, nodes: graph.tensors.map(tensor))
    node.set(GraphSchema.Subgraph.inputs, numbers(graph.inputs))
    node.set(GraphSchema.Subgraph.outputs, numbers(graph.outputs))
    node.set(
      GraphSchema.Subgraph.operators,
      nodes: graph.operators.map { item in
        var node = FlatNode()
        node.set(GraphSchema.Operator.code, .uint32(UInt32(codes.firstIndex(of: item.code) ?? 99)))
        node.set(GraphSchema.Operator.inputs, numbers(item.inputs))
        node.set(GraphSchema.Operator.outputs, numbers(item.outputs))
        node.set(GraphSchema.Operator.options, options(item.options))
        node.set(FlatField(12, ""), options(item.newOptions))
        node.set(GraphSchema.Operator.customOptions, item.custom.map { .bytes($0, alignment: 4) })
        return node
      })
    return node
  }

  private func tensor(_ tensor: Tensor) -> FlatNode {
    var node = FlatNode()
    node.set(GraphSchema.Tensor.shape, .uint32s(tensor.shape.map(UInt32.init(bitPattern:))))
    node.set(GraphSchema.Tensor.type, .uint8(tensor.type))
    node.set(GraphSchema.Tensor.buffer, .uint32(tensor.buffer))
    node.set(GraphSchema.Tensor.isVariable, .uint8(tensor.isVariable ? 1 : 0))
    if !tensor.signature.isEmpty {
      node.set(GraphSchema.Tensor.shapeSignature, .uint32s(tensor.signature.map(UInt32.init(bitPattern:))))
    }
    var quantization = FlatNode()
    quantization.set(GraphSchema.Quantization.scale, floats: tensor.scales)
    if !tensor.zeroPoints.isEmpty {
      quantization.set(
        GraphSchema.Quantization.zeroPoint, .uint64s(tensor.zeroPoints.map(UInt64.init(bitPattern:))))
    }
    quantization.set(GraphSchema.Quantization.dimension, .uint32(tensor.dimension))
    if !tensor.scales.isEmpty || !tensor.zeroPoints.isEmpty {
      node.set(GraphSchema.Tensor.quantization, .table(quantization))
    }
    return node
  }
}

/// Makes FlexBuffers of whole numbers, eight bytes each.
enum FlexMapBytes {
  static func map(_ numbers: [String: Int], isSorted: Bool = true) -> [UInt8] {
    var bytes: [UInt8] = []
    func append(_ value: Int) { bytes.append(littleEndian: UInt64(bitPattern: Int64(value))) }
    let keys = isSorted ? numbers.keys.sorted() : numbers.keys.sorted(by: >)
    let places = keys.map { key in
      defer { bytes += Array(key.utf8) + [0] }
      return bytes.count
    }
    append(keys.count)
    let keyVector = bytes.count
    for place in places { append(bytes.count - place) }
    append(bytes.count - keyVector)
    append(8)
    append(keys.count)
    let values = bytes.count
    for key in keys { append(numbers[key] ?? 0) }
    // Type 1, a whole number, of the width 2^3.
    bytes += keys.map { _ in 1 << 2 | 3 }
    append(bytes.count - values)
    // Type 9, a map.
    return bytes + [9 << 2 | 3, 8]
  }
}
