// SPDX-License-Identifier: Apache-2.0

/// A summary of a model's graph, for recognising the model's family.
package struct ModelGraphSummary: Sendable, Hashable {
  /// An operator that is not built into TFLite, such as `TFLite_Detection_PostProcess`.
  package struct CustomOperator: Sendable, Hashable {
    /// The operator's name.
    package var name: String
    /// The operator's raw options, usually a FlexBuffer; empty if it has none.
    package var options: [UInt8]

    /// Creates a custom operator.
    package init(name: String, options: [UInt8]) {
      self.name = name
      self.options = options
    }
  }

  /// The version of the TFLite schema; 3 for all current models.
  package var schemaVersion: Int
  /// The description in the TFLite file, such as `TOCO Converted.`; nil if it has none.
  package var description: String?
  /// The number of subgraphs; a model without control flow has one.
  package var subgraphCount: Int
  /// The number of inputs of the first subgraph.
  package var inputCount: Int
  /// The number of outputs of the first subgraph.
  package var outputCount: Int
  /// The number of operators in the first subgraph.
  package var operatorCount: Int
  /// The custom operators that the first subgraph runs, in order.
  package var customOperators: [CustomOperator]

  /// Returns whether the first subgraph runs a custom operator with this name.
  package func hasCustomOperator(_ name: String) -> Bool { customOperators.contains { $0.name == name } }
}

extension ModelGraphSummary {
  private enum Field {
    static let subgraphInputs = FlatField(1, "subgraphs.inputs")
    static let subgraphOutputs = FlatField(2, "subgraphs.outputs")
    static let subgraphOperators = FlatField(3, "subgraphs.operators")
    static let customCode = FlatField(1, "operator_codes.custom_code")
    static let opcodeIndex = FlatField(0, "operators.opcode_index")
    static let customOptions = FlatField(5, "operators.custom_options")
  }

  /// Reads the summary of the TFLite file in `bytes`.
  ///
  /// - Parameter bytes: The whole file; only the strings and options in the result are copied.
  /// - Returns: The summary.
  /// - Throws: `MetadataError` with `notAModel` or `damagedModel`.
  package static func read(_ bytes: Span<UInt8>) throws(MetadataError) -> ModelGraphSummary {
    let root = try ModelFile(bytes).root
    var budget = FlatBudget()
    let customCodes = try Self.customCodes(of: root, in: bytes, &budget)
    let subgraphs = try root.tables(ModelFile.Field.subgraphs, in: bytes, &budget)
    var summary = ModelGraphSummary(
      schemaVersion: Int(try root.uint32(ModelFile.Field.version, in: bytes)),
      description: try root.string(ModelFile.Field.description, in: bytes, &budget),
      subgraphCount: subgraphs.count, inputCount: 0, outputCount: 0, operatorCount: 0, customOperators: [])
    guard let main = subgraphs.first else { return summary }
    summary.inputCount = try main.vector(Field.subgraphInputs, stride: 4, in: bytes)?.count ?? 0
    summary.outputCount = try main.vector(Field.subgraphOutputs, stride: 4, in: bytes)?.count ?? 0
    let operators = try main.tables(Field.subgraphOperators, in: bytes, &budget)
    summary.operatorCount = operators.count
    for (position, node) in operators.enumerated() {
      let code = try Self.code(of: node, position, count: customCodes.count, in: bytes)
      guard let name = customCodes[code] else { continue }
      let options = try node.bytes(Field.customOptions, in: bytes, &budget) ?? []
      summary.customOperators.append(CustomOperator(name: name, options: options))
    }
    return summary
  }

  /// Reads the names of the custom operators that the first subgraph runs, each once, in the order of their
  /// first use.
  /// - Parameter bytes: The whole file; the operators' options are not read.
  /// - Returns: The names.
  /// - Throws: `MetadataError` with `notAModel` or `damagedModel`.
  package static func customNames(_ bytes: Span<UInt8>) throws(MetadataError) -> [String] {
    let root = try ModelFile(bytes).root
    var budget = FlatBudget()
    let customCodes = try Self.customCodes(of: root, in: bytes, &budget)
    let subgraphs = try root.tables(ModelFile.Field.subgraphs, in: bytes, &budget)
    let operators = try subgraphs.first?.tables(Field.subgraphOperators, in: bytes, &budget) ?? []
    // Marked by code, as a graph has many more operators than codes.
    var isUsed = [Bool](repeating: false, count: customCodes.count)
    var names: [String] = []
    var known: Set<String> = []
    for (position, node) in operators.enumerated() {
      let code = try Self.code(of: node, position, count: customCodes.count, in: bytes)
      guard !isUsed[code], let name = customCodes[code] else { continue }
      isUsed[code] = true
      if known.insert(name).inserted { names.append(name) }
    }
    return names
  }

  /// Returns the name of the custom operator of each code; nil for built-in operators.
  private static func customCodes(
    of root: FlatTable, in bytes: Span<UInt8>, _ budget: inout FlatBudget
  ) throws(MetadataError) -> [String?] {
    var names: [String?] = []
    for code in try root.tables(ModelFile.Field.operatorCodes, in: bytes, &budget) {
      names.append(try code.operatorName(Field.customCode, in: bytes, &budget))
    }
    return names
  }

  /// Returns the code index of the operator at `position`, below `count`.
  static func code(
    of node: FlatTable, _ position: Int, count: Int, in bytes: Span<UInt8>
  ) throws(MetadataError) -> Int {
    let code = Int(try node.uint32(Field.opcodeIndex, in: bytes))
    guard code < count else {
      throw .damaged("operator \(position) has the code \(code), but the model lists \(count) codes")
    }
    return code
  }

  /// Reads the summary of the TFLite file in `bytes`.
  ///
  /// - Parameter bytes: The whole file.
  /// - Returns: The summary.
  /// - Throws: `MetadataError` with `notAModel` or `damagedModel`.
  package static func read(_ bytes: [UInt8]) throws(MetadataError) -> ModelGraphSummary {
    try read(bytes.span)
  }
}
