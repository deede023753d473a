// SPDX-License-Identifier: Apache-2.0

import FoveaModelFile

/// A small model whose graph a test can break in one place: image → convolution → ReLU → reshape, and what else is added.
package struct GraphModel {
  package struct Tensor {
    package var shape: [Int32]
    package var type: UInt8 = 0
    package var buffer: UInt32 = 0
    package var scales: [Float] = []
    package var zeroPoints: [Int64] = []
    package var dimension: UInt32 = 0
    package var isVariable = false
    package var signature: [Int32] = []
    package var name: String?
    package var sparsity: SparseParameters?

    package init(
      shape: [Int32], type: UInt8 = 0, buffer: UInt32 = 0, scales: [Float] = [], zeroPoints: [Int64] = [],
      dimension: UInt32 = 0, isVariable: Bool = false, signature: [Int32] = [], name: String? = nil,
      sparsity: SparseParameters? = nil
    ) {
      self.shape = shape
      self.type = type
      self.buffer = buffer
      self.scales = scales
      self.zeroPoints = zeroPoints
      self.dimension = dimension
      self.isVariable = isVariable
      self.signature = signature
      self.name = name
      self.sparsity = sparsity
    }
  }

  package struct Operator {
    package var code: UInt32
    package var inputs: [Int32]
    package var outputs: [Int32]
    /// Numbers of 32 bits by their field; one of 8 bits fits in, too.
    package var options: [Int: Int32]?
    package var newOptions: [Int: Int32]?
    package var custom: [UInt8]?

    package init(
      code: UInt32, inputs: [Int32], outputs: [Int32], options: [Int: Int32]? = nil,
      newOptions: [Int: Int32]? = nil, custom: [UInt8]? = nil
    ) {
      self.code = code
      self.inputs = inputs
      self.outputs = outputs
      self.options = options
      self.newOptions = newOptions
      self.custom = custom
    }
  }

  package struct Graph {
    package var tensors: [Tensor]
    package var operators: [Operator]
    package var inputs: [Int32]
    package var outputs: [Int32]

    package init(tensors: [Tensor], operators: [Operator], inputs: [Int32], outputs: [Int32]) {
      self.tensors = tensors
      self.operators = operators
      self.inputs = inputs
      self.outputs = outputs
    }
  }

  /// A signature with the tensors that it names.
  package struct Signature {
    package var key: String? = "serving_default"
    package var graph: UInt32 = 0
    package var inputs: [(name: String?, tensor: UInt32)] = []
    package var outputs: [(name: String?, tensor: UInt32)] = []

    package init() {}

    /// A signature of one input, "image".
    package static func of(_ graph: UInt32, _ tensor: UInt32) -> Signature {
      var signature = Signature()
      signature.graph = graph
      signature.inputs = [("image", tensor)]
      return signature
    }
  }

  package var graphs: [Graph]
  package var buffers: [[UInt8]]
  package var customName = "TFLite_Detection_PostProcess"
  package var signatures: [Signature] = []

  package static let convolution: UInt32 = 3

  package init() {
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
  package mutating func append(
    _ code: UInt32, _ inputs: [Int32], makes shape: [Int32], options: [Int: Int32]? = nil
  ) {
    graphs[0].tensors.append(Tensor(shape: shape))
    graphs[0].operators.append(
      Operator(code: code, inputs: inputs, outputs: [Int32(graphs[0].tensors.count - 1)], options: options))
  }

  /// A graph that LiteRT runs: its last operator knows the shape that it makes.
  package static func runnable() -> GraphModel {
    var model = GraphModel()
    model.graphs[0].operators[2].inputs.append(model.constant([1, 24]))
    return model
  }

  /// Adds a constant of int32 and gives its number.
  package mutating func constant(_ numbers: [Int32]) -> Int32 {
    buffers.append(
      numbers.flatMap { number in (0..<4).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) } })
    graphs[0].tensors.append(
      Tensor(shape: [Int32(numbers.count)], type: 2, buffer: UInt32(buffers.count - 1)))
    return Int32(graphs[0].tensors.count - 1)
  }

  /// Adds the operator that ends detectors: 10 boxes of 3 classes and the background.
  package mutating func appendPostProcess(
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

  /// The kinds of options of AVERAGE_POOL_2D, CONV_2D, DEPTHWISE_CONV_2D, FULLY_CONNECTED, MAX_POOL_2D and TRANSPOSE_CONV;
  /// LiteRT reads no options without.
  private static let optionsTypes: [UInt32: UInt8] = [1: 5, 3: 1, 4: 2, 9: 8, 17: 5, 67: 49]

  package func bytes() -> [UInt8] {
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
    root.set(ModelFile.Field.signatureDefs, nodes: signatures.map(signature))
    var writer = FlatBufferWriter(identifier: ModelFile.identifier)
    writer.root(root)
    return writer.bytes
  }

  private func signature(_ signature: Signature) -> FlatNode {
    func map(_ entries: [(name: String?, tensor: UInt32)]) -> [FlatNode] {
      entries.map { entry in
        var node = FlatNode()
        node.set(GraphSchema.TensorMap.name, string: entry.name)
        node.set(GraphSchema.TensorMap.tensor, .uint32(entry.tensor))
        return node
      }
    }
    var node = FlatNode()
    node.set(GraphSchema.Signature.inputs, nodes: map(signature.inputs))
    node.set(GraphSchema.Signature.outputs, nodes: map(signature.outputs))
    node.set(GraphSchema.Signature.key, string: signature.key)
    node.set(GraphSchema.Signature.subgraph, .uint32(signature.graph))
    return node
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
        node.set(GraphSchema.Operator.optionsType, Self.optionsTypes[item.code].map { .uint8($0) })
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
    node.set(GraphSchema.Tensor.name, string: tensor.name)
    node.set(GraphSchema.Tensor.isVariable, .uint8(tensor.isVariable ? 1 : 0))
    if !tensor.signature.isEmpty {
      node.set(GraphSchema.Tensor.shapeSignature, .uint32s(tensor.signature.map(UInt32.init(bitPattern:))))
    }
    node.set(GraphSchema.Tensor.sparsity, tensor.sparsity.map { .table($0.node()) })
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
package enum FlexMapBytes {
  package static func map(_ numbers: [String: Int], isSorted: Bool = true) -> [UInt8] {
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
