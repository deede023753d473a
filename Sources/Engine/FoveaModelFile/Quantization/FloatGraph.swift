// SPDX-License-Identifier: Apache-2.0

/// The graph of a float model in memory: with float32 constants, whatever the file stores.
package struct FloatGraph: Sendable {
  package struct Tensor: Sendable {
    package let name: String
    package let shape: [Int]
    package var type: UInt8
    /// The bytes of a constant; nil for a computed tensor.
    package var content: [UInt8]?
    /// The number of elements.
    package let count: Int

    /// Whether its numbers are float32 and computed.
    package var isActivation: Bool { content == nil && type == GraphSchema.ElementType.float32 }

    /// The numbers of a float32 constant; nil for other tensors.
    package var floats: [Float]? {
      guard let content, type == GraphSchema.ElementType.float32 else { return nil }
      return stride(from: 0, to: content.count - 3, by: 4).map { start in
        var bits: UInt32 = 0
        for index in (0..<4).reversed() { bits = bits << 8 | UInt32(content[start + index]) }
        return Float(bitPattern: bits)
      }
    }
  }

  package struct Node: Sendable {
    package let kind: OperatorName
    let version: UInt32
    package let inputs: [Int]
    package internal(set) var outputs: [Int]
    var options: OptionsCopy
    let customFormat: UInt8
    /// The tensor that the operator makes in the file, without the activation that is fused with it.
    package let label: Int?
  }

  package internal(set) var tensors: [Tensor] = []
  package internal(set) var nodes: [Node] = []
  package let input: Int
  package let outputs: [Int]
  let signature: GraphParts.Signature?
  let metadata: [(name: String, content: [UInt8])]
  package let description: String?
  /// The constants that the file stores in float16.
  package private(set) var halves: Set<Int> = []
  /// The index of the operator that computes each tensor.
  package private(set) var makers: [Int: Int] = [:]
  /// The indices of the operators that read each tensor, in order, each once.
  package private(set) var readers: [[Int]] = []

  /// The most operators of a graph; the largest image models have some 2,000.
  private static let mostOperators = 5_000
  /// The most bytes of constants that operators may read in total, as a multiple of the file's size.
  ///
  /// Layers may share weights, of which each gets a copy: detectors share those of their heads for up to five
  /// maps.
  private static let mostReads = 16
  /// The most bytes of float32 constants that float16 ones may become, as a multiple of the file's size.
  private static let mostFolded = 4

  /// Reads the graph of a model.
  ///
  /// Weights in float16 behind a DEQUANTIZE become float32. An activation that only clips, and is the only
  /// reader of an operator that can clip, is fused with it, which changes no number.
  /// - Parameter model: The whole model file.
  /// - Throws: `alreadyQuantized` or `notQuantizable` for a graph that cannot be rewritten, `cannotWrite` for
  ///   operators that cannot be copied, `notAModel` or `damagedModel`.
  package init(_ model: [UInt8]) throws(MetadataError) {
    let bytes = model.span
    try ModelGraphCheck.check(bytes)
    var budget = FlatBudget()
    let graph = try SourceGraph(bytes, &budget, refusal: MetadataError.notQuantizable)
    guard graph.inputs.count == 1 else {
      throw .notQuantizable("has \(graph.inputs.count) inputs, expected one image")
    }
    guard graph.nodes.count <= Self.mostOperators else {
      throw .notQuantizable("has \(graph.nodes.count) operators, expected at most \(Self.mostOperators)")
    }
    guard !graph.outputs.isEmpty else { throw .notQuantizable("has no output") }
    (input, outputs) = (graph.inputs[0], graph.outputs)
    signature = try Self.signature(of: graph, in: bytes, &budget)
    let buffers = GraphBuffers(graph.buffers, limit: model.count)
    metadata = try Self.metadata(of: graph.root, buffers, model, &budget)
    description = try graph.root.string(ModelFile.Field.description, in: bytes, &budget)
    var copied = 0
    for tensor in graph.tensors {
      tensors.append(try Self.tensor(tensor, buffers, model, &copied, &budget))
    }
    for node in graph.nodes { nodes.append(try Self.node(node, of: graph, in: bytes, &budget)) }
    try fold(limit: Self.mostFolded * model.count)
    try check()
    try checkReads(limit: Self.mostReads * model.count)
    fuse()
    readers = [[Int]](repeating: [], count: tensors.count)
    for (place, node) in nodes.enumerated() {
      for output in node.outputs { makers[output] = place }
      for input in Set(node.inputs) where input >= 0 { readers[input].append(place) }
    }
  }

  private static func tensor(
    _ source: SourceGraph.Tensor, _ buffers: GraphBuffers, _ model: [UInt8], _ copied: inout Int,
    _ budget: inout FlatBudget
  ) throws(MetadataError) -> Tensor {
    typealias Field = GraphSchema.Tensor
    typealias Element = GraphSchema.ElementType
    let bytes = model.span
    guard try source.table.slot(Field.sparsity, size: 4, in: bytes) == nil,
      try source.table.slot(Field.variants, size: 4, in: bytes) == nil
    else { throw .notQuantizable("has sparse weights in '\(source.name.printable)'") }
    guard !source.isVariable, ![Element.resource, Element.variant].contains(source.type) else {
      throw .notQuantizable("keeps state between runs in '\(source.name.printable)'")
    }
    guard source.shape.allSatisfy({ $0 >= 0 }), !source.signature.dropFirst().contains(where: { $0 < 0 })
    else {
      throw .notQuantizable(
        "leaves the shape of '\(source.name.printable)' open, \(source.shape), expected fixed sizes")
    }
    let content = try buffers.content(source.buffer, of: model, &copied)
    // `ModelGraphCheck` limits the size of a tensor, so the product cannot overflow.
    return Tensor(
      name: source.name, shape: source.shape, type: source.type, content: content,
      count: source.shape.reduce(1, *))
  }

  private static func node(
    _ source: SourceGraph.Node, of graph: SourceGraph, in bytes: Span<UInt8>, _ budget: inout FlatBudget
  ) throws(MetadataError) -> Node {
    guard !source.kind.isState else { throw .notQuantizable("keeps state between runs (\(source.kind))") }
    guard try source.table.int32s(GraphSchema.Operator.intermediates, in: bytes, &budget).isEmpty else {
      throw .notQuantizable("has an operator with inner tensors, \(source.kind)")
    }
    let code = graph.codes[source.code]
    let version =
      try code.slot(GraphSchema.Code.version, size: 4, in: bytes) == nil
      ? 1 : try code.uint32(GraphSchema.Code.version, in: bytes)
    return Node(
      kind: source.kind, version: version, inputs: source.inputs, outputs: source.outputs,
      options: try OptionsCopy(source, in: bytes, &budget),
      customFormat: try source.table.uint8(GraphSchema.Operator.customFormat, in: bytes),
      label: source.outputs.first)
  }

  /// Replaces each DEQUANTIZE of a float16 constant by a float32 constant.
  private mutating func fold(limit: Int) throws(MetadataError) {
    var kept: [Node] = []
    var folded = 0
    for node in nodes {
      guard node.kind.builtin == .dequantize, let input = node.inputs.first, input >= 0,
        let output = node.outputs.first, tensors[input].type == GraphSchema.ElementType.float16,
        let content = tensors[input].content, tensors[output].count == tensors[input].count,
        content.count >= 2 * tensors[input].count
      else {
        kept.append(node)
        continue
      }
      folded += 4 * tensors[input].count
      guard folded <= limit else {
        throw .damaged("the float16 constants of the model would become more than \(limit) bytes of float32")
      }
      var numbers: [UInt8] = []
      numbers.reserveCapacity(4 * tensors[input].count)
      for index in 0..<tensors[input].count {
        let bits = UInt16(content[2 * index]) | UInt16(content[2 * index + 1]) << 8
        numbers.append(littleEndian: Binary16.float(bits).bitPattern)
      }
      tensors[output].content = numbers
      halves.insert(output)
    }
    nodes = kept
  }

  /// Whether operators that could be layers read weights that the file stores as integers.
  var hasIntegerWeights: Bool {
    nodes.contains { node in
      let place = OperatorRule.places(node.kind).weights
      guard OperatorRule.of(node.kind) == .layer, node.inputs.indices.contains(place),
        let maker = makers[node.inputs[place]].map({ nodes[$0] }), maker.kind.builtin == .dequantize
      else { return false }
      return maker.inputs.allSatisfy { $0 >= 0 && tensors[$0].content != nil }
    }
  }

  /// Verifies that few constants are shared: a small file could describe any number of large layers.
  private func checkReads(limit: Int) throws(MetadataError) {
    var bytes = 0
    for node in nodes {
      for input in node.inputs where input >= 0 { bytes += tensors[input].content?.count ?? 0 }
      guard bytes <= limit else {
        throw .damaged("the operators read constants of more than \(limit) bytes in total")
      }
    }
  }

  /// Verifies that the activations are floats.
  private func check() throws(MetadataError) {
    typealias Element = GraphSchema.ElementType
    // Layers also compute with integer weights, between floats.
    let weights = nodes.filter { OperatorRule.of($0.kind) == .layer }.compactMap { node in
      let place = OperatorRule.places(node.kind).weights
      return node.inputs.indices.contains(place) && node.inputs[place] >= 0 ? node.inputs[place] : nil
    }
    for tensor in [input] + nodes.flatMap(\.outputs) + weights {
      let type = tensors[tensor].type
      guard ![Element.int4, Element.int8, Element.uint8, Element.int16].contains(type) else {
        throw MetadataError(
          .alreadyQuantized,
          "is quantised already: '\(tensors[tensor].name.printable)' is \(OperatorNames.name(ofType: type))",
          remedy: "Use the float model; to judge an int8 file, compare it with the float one")
      }
    }
    guard tensors[input].isActivation else {
      let type = OperatorNames.name(ofType: tensors[input].type)
      throw .notQuantizable("has an input of \(type), expected float32")
    }
  }
}

/// The contents of a model's constants.
struct GraphBuffers {
  private let tables: [FlatTable]
  private let limit: Int

  init(_ tables: [FlatTable], limit: Int) {
    self.tables = tables
    self.limit = limit
  }

  /// Returns a copy of a buffer; nil for an empty one.
  ///
  /// `copied` is the total so far: tensors of a damaged file may share one buffer.
  func content(_ index: Int, of model: [UInt8], _ copied: inout Int) throws(MetadataError) -> [UInt8]? {
    guard tables.indices.contains(index) else { return nil }
    let bytes = model.span
    guard try tables[index].uint64(ModelFile.Field.bufferSize, in: bytes) == 0,
      try tables[index].uint64(ModelFile.Field.bufferOffset, in: bytes) <= 1
    else { throw .notQuantizable("stores its weights after the FlatBuffer") }
    guard let data = try tables[index].vector(ModelFile.Field.bufferData, stride: 1, in: bytes),
      data.count > 0
    else { return nil }
    copied += data.count
    // A few constants, such as shapes, are shared.
    guard copied <= 2 * limit else {
      throw .damaged("the model's tensors have more than twice the bytes of its file, \(limit)")
    }
    return Array(model[data.start..<data.start + data.count])
  }
}

extension FloatGraph {
  /// Returns the names of the inputs and outputs; nil if no signature matches the graph.
  private static func signature(
    of graph: SourceGraph, in bytes: Span<UInt8>, _ budget: inout FlatBudget
  ) throws(MetadataError) -> GraphParts.Signature? {
    typealias Field = GraphSchema.Signature
    func ends(_ table: FlatTable, _ field: FlatField, _ budget: inout FlatBudget) throws(MetadataError)
      -> [(name: String, tensor: Int)]
    {
      var ends: [(name: String, tensor: Int)] = []
      for map in try table.tables(field, in: bytes, &budget) {
        let name = try map.string(GraphSchema.TensorMap.name, in: bytes, &budget) ?? ""
        ends.append((name, Int(try map.uint32(GraphSchema.TensorMap.tensor, in: bytes))))
      }
      return ends
    }
    for table in try graph.root.tables(ModelFile.Field.signatureDefs, in: bytes, &budget) {
      var signature = GraphParts.Signature()
      signature.key = try table.string(Field.key, in: bytes, &budget) ?? ""
      signature.inputs = try ends(table, Field.inputs, &budget)
      signature.outputs = try ends(table, Field.outputs, &budget)
      let names = (signature.inputs + signature.outputs).map(\.name)
      guard !signature.key.isEmpty, signature.inputs.map(\.tensor) == graph.inputs,
        signature.outputs.map(\.tensor).sorted() == graph.outputs.sorted(), !names.contains("")
      else { continue }
      return signature
    }
    return nil
  }

  private static func metadata(
    of root: FlatTable, _ buffers: GraphBuffers, _ model: [UInt8], _ budget: inout FlatBudget
  ) throws(MetadataError) -> [(name: String, content: [UInt8])] {
    var entries: [(name: String, content: [UInt8])] = []
    var copied = 0
    for entry in try root.tables(ModelFile.Field.metadata, in: model.span, &budget) {
      let name = try entry.string(ModelFile.Field.entryName, in: model.span, &budget) ?? ""
      let buffer = Int(try entry.uint32(ModelFile.Field.entryBuffer, in: model.span))
      guard let content = try buffers.content(buffer, of: model, &copied) else { continue }
      entries.append((name, content))
    }
    return entries
  }
}

extension MetadataError {
  /// Returns the error of a graph that cannot be quantised; the reason continues the model's name.
  package static func notQuantizable(_ reason: String) -> MetadataError {
    MetadataError(
      .notQuantizable, reason,
      remedy: "Use a float32 model with one image input and one graph")
  }
}
