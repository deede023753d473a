// SPDX-License-Identifier: Apache-2.0

/// The inputs, outputs and operators of a model as declared in its file, for models that no runtime can open.
package struct GraphOutline: Sendable {
  /// An input or output.
  package struct Tensor: Sendable, Hashable {
    /// The name, truncated to 200 characters.
    package var name: String
    package var type: String
    /// The sizes of the dimensions; −1 for an unknown one.
    package var shape: [Int]
    package var scales: [Float]
    package var zeroPoint: Int
  }

  package private(set) var inputs: [Tensor] = []
  package private(set) var outputs: [Tensor] = []
  /// The names of the operators in the order of their first use, each with its number of uses; empty if they
  /// cannot be read.
  package private(set) var operators: [(name: String, count: Int)] = []

  /// The maximum number of inputs and outputs together; they can share one long name or shape, which a table
  /// would repeat for each.
  private static let mostTensors = 1000
  private static let mostDimensions = 32
  private static let longestName = 200

  /// Reads the first subgraph for display, without checking the graph.
  /// - Parameter bytes: The whole model file.
  /// - Returns: The outline; empty for a file without a graph.
  /// - Throws: `MetadataError` with `notAModel` or `damagedModel`, also for too many inputs and outputs.
  package static func read(_ bytes: Span<UInt8>) throws(MetadataError) -> GraphOutline {
    let root = try ModelFile(bytes).root
    var budget = FlatBudget()
    var outline = GraphOutline()
    guard let main = try root.tables(ModelFile.Field.subgraphs, in: bytes, &budget).first else {
      return outline
    }
    let tensors = try main.tables(GraphSchema.Subgraph.tensors, in: bytes, &budget)
    let inputs = try main.uint32s(GraphSchema.Subgraph.inputs, in: bytes, &budget)
    let outputs = try main.uint32s(GraphSchema.Subgraph.outputs, in: bytes, &budget)
    guard inputs.count + outputs.count <= mostTensors else {
      throw .damaged(
        "the model has \(inputs.count) inputs and \(outputs.count) outputs; expected at most \(mostTensors)")
    }
    for index in inputs { outline.inputs.append(try tensor(index, of: tensors, in: bytes, &budget)) }
    for index in outputs { outline.outputs.append(try tensor(index, of: tensors, in: bytes, &budget)) }
    outline.operators = (try? operators(of: main, root, in: bytes, &budget)) ?? []
    return outline
  }

  private static func operators(
    of graph: FlatTable, _ root: FlatTable, in bytes: Span<UInt8>, _ budget: inout FlatBudget
  ) throws(MetadataError) -> [(name: String, count: Int)] {
    let kinds = try OperatorKind.all(root, in: bytes, &budget)
    // Counted by code, as a graph has many more operators than codes.
    var counts = [Int](repeating: 0, count: kinds.count)
    var order: [Int] = []
    let nodes = try graph.tables(GraphSchema.Subgraph.operators, in: bytes, &budget)
    for (position, node) in nodes.enumerated() {
      let code = try ModelGraphSummary.code(of: node, position, count: kinds.count, in: bytes)
      counts[code] += 1
      if counts[code] == 1 { order.append(code) }
    }
    var found: [(name: String, count: Int)] = []
    var places: [String: Int] = [:]
    for code in order {
      // Each version of an operator has its own code.
      let name = OperatorNames.name(of: kinds[code])
      if let place = places[name] {
        found[place].count += counts[code]
      } else {
        places[name] = found.count
        found.append((name, counts[code]))
      }
    }
    return found
  }

  private static func tensor(
    _ index: UInt32, of tensors: [FlatTable], in bytes: Span<UInt8>, _ budget: inout FlatBudget
  ) throws(MetadataError) -> Tensor {
    guard Int(index) < tensors.count else {
      throw .damaged("tensor \(index) is an input or output, but the model has \(tensors.count)")
    }
    let table = tensors[Int(index)]
    let fixed = try table.uint32s(GraphSchema.Tensor.shape, in: bytes, &budget)
    let open = try table.uint32s(GraphSchema.Tensor.shapeSignature, in: bytes, &budget)
    guard fixed.count <= mostDimensions else {
      throw .damaged("an input or output has \(fixed.count) dimensions; expected at most \(mostDimensions)")
    }
    let name = try table.string(GraphSchema.Tensor.name, in: bytes, &budget) ?? ""
    let start = String(name.unicodeScalars.prefix(longestName))
    var tensor = Tensor(
      name: start.utf8.count < name.utf8.count ? start + "…" : name,
      type: OperatorNames.name(ofType: try table.uint8(GraphSchema.Tensor.type, in: bytes)),
      shape: (open.count == fixed.count ? open : fixed).map { Int(Int32(bitPattern: $0)) }, scales: [],
      zeroPoint: 0)
    if let quantization = try table.table(GraphSchema.Tensor.quantization, in: bytes, &budget) {
      tensor.scales = try quantization.floats(GraphSchema.Quantization.scale, in: bytes, &budget)
      if let points = try quantization.vector(GraphSchema.Quantization.zeroPoint, stride: 8, in: bytes),
        points.count > 0
      {
        tensor.zeroPoint = Int(Int64(bitPattern: try bytes.uint64(at: points.start, "a zero point")))
      }
    }
    return tensor
  }
}
