// SPDX-License-Identifier: Apache-2.0

/// The part of a graph that one tensor needs, renumbered; everything else is omitted.
///
/// Operators keep their order, options and versions; tensors keep their shapes and scales.
struct GraphCut {
  private let graph: SourceGraph
  private let model: [UInt8]
  private var budget: FlatBudget
  private var parts = GraphParts()
  /// The new indices by old index.
  private var codes: [Int: Int] = [:]
  private var tensors: [Int: Int] = [:]
  private var buffers: [Int: Int] = [:]
  /// The total size of the copied buffers.
  private var byteCount = 0

  /// Cuts a graph after a tensor.
  /// - Throws: `cannotWrite` for features of newer or larger models that cannot be copied.
  static func parts(
    of graph: SourceGraph, endingAt tensor: Int, _ model: [UInt8], _ budget: inout FlatBudget
  ) throws(MetadataError) -> GraphParts {
    var cut = GraphCut(graph: graph, model: model, budget: budget)
    for place in graph.nodes(neededFor: [tensor]) { try cut.add(graph.nodes[place]) }
    let input = try cut.number(of: graph.inputs[0])
    cut.parts.setEnds(input: input, output: try cut.number(of: tensor), named: "embedding")
    cut.parts.description = try graph.root.string(ModelFile.Field.description, in: model.span, &cut.budget)
    budget = cut.budget
    return cut.parts
  }

  private init(graph: SourceGraph, model: [UInt8], budget: FlatBudget) {
    self.graph = graph
    self.model = model
    self.budget = budget
  }

  private mutating func add(_ node: SourceGraph.Node) throws(MetadataError) {
    typealias Field = GraphSchema.Operator
    // A copy of the reference, so that reading it does not borrow the cut.
    let model = model
    let bytes = model.span
    var result = FlatNode()
    result.set(Field.code, .uint32(UInt32(try number(ofCode: node.code))))
    result.set(Field.inputs, .uint32s(try numbers(of: node.inputs)))
    result.set(Field.outputs, .uint32s(try numbers(of: node.outputs)))
    let inner = try node.table.int32s(Field.intermediates, in: bytes, &budget)
    guard inner.allSatisfy({ $0 < graph.tensors.count }) else {
      throw .damaged("the operator \(node.kind) uses tensors that the model does not have")
    }
    result.set(Field.intermediates, inner.isEmpty ? nil : .uint32s(try numbers(of: inner)))
    let options = try OptionsCopy(node, in: bytes, &budget)
    result.set(Field.optionsType, .uint8(options.type))
    result.set(Field.options, options.table)
    result.set(Field.customOptions, options.custom.map { .bytes($0, alignment: 16) })
    result.set(Field.customFormat, .uint8(try node.table.uint8(Field.customFormat, in: bytes)))
    parts.operators.append(result)
  }

  private mutating func number(ofCode old: Int) throws(MetadataError) -> Int {
    if let known = codes[old] { return known }
    typealias Field = GraphSchema.Code
    let (table, model) = (graph.codes[old], model)
    let bytes = model.span
    let number = try table.operatorNumber(in: bytes)
    let isStated = try table.slot(Field.version, size: 4, in: bytes) != nil
    parts.codes.append(
      GraphParts.Code(
        number: number, version: isStated ? try table.uint32(Field.version, in: bytes) : 1,
        custom: try table.string(Field.custom, in: bytes, &budget)))
    codes[old] = parts.codes.count - 1
    return parts.codes.count - 1
  }

  private mutating func numbers(of old: [Int]) throws(MetadataError) -> [UInt32] {
    var result: [UInt32] = []
    // -1 is an omitted input.
    for tensor in old { result.append(tensor < 0 ? .max : UInt32(try number(of: tensor))) }
    return result
  }

  private mutating func number(of old: Int) throws(MetadataError) -> Int {
    if let known = tensors[old] { return known }
    let buffer = try number(ofBuffer: graph.tensors[old].buffer)
    let model = model
    parts.tensors.append(try TensorCopy.node(graph.tensors[old], buffer: buffer, in: model.span, &budget))
    tensors[old] = parts.tensors.count - 1
    return parts.tensors.count - 1
  }

  /// Returns the new index of a buffer; all empty ones become the first.
  private mutating func number(ofBuffer old: Int) throws(MetadataError) -> Int {
    if let known = buffers[old] { return known }
    // Buffer 0 may be omitted from the list.
    guard graph.buffers.indices.contains(old) else { return 0 }
    let (table, model) = (graph.buffers[old], model)
    let bytes = model.span
    guard try table.uint64(ModelFile.Field.bufferSize, in: bytes) == 0,
      try table.uint64(ModelFile.Field.bufferOffset, in: bytes) <= 1
    else {
      throw MetadataEncoder.cannotWrite(
        "The model stores its weights after the FlatBuffer (buffer offset and size fields)")
    }
    guard let data = try table.vector(ModelFile.Field.bufferData, stride: 1, in: bytes), data.count > 0 else {
      buffers[old] = 0
      return 0
    }
    // In an intact file, buffers do not overlap.
    byteCount += data.count
    guard byteCount <= model.count else {
      throw .damaged("the model's buffers have more bytes than its file, \(model.count)")
    }
    parts.buffers.append(Array(model[data.start..<data.start + data.count]))
    buffers[old] = parts.buffers.count - 1
    return parts.buffers.count - 1
  }
}
