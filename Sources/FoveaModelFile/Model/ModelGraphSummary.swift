// SPDX-License-Identifier: Apache-2.0

/// What a model's graph is made of, as far as it helps to recognise the model's family.
public struct ModelGraphSummary: Sendable, Hashable {
  /// An operator that TFLite does not have built in, for example `TFLite_Detection_PostProcess`.
  public struct CustomOperator: Sendable, Hashable {
    /// The operator's name.
    public var name: String
    /// Its options as they lie in the file, usually a FlexBuffer; empty where it has none.
    public var options: [UInt8]

    /// Makes a description of a custom operator.
    public init(name: String, options: [UInt8]) {
      self.name = name
      self.options = options
    }
  }

  /// The version of the TFLite schema, 3 for every model of today.
  public var schemaVersion: Int
  /// The description inside the TFLite file, for example `TOCO Converted.`; nil where it has none.
  public var description: String?
  /// The number of subgraphs; a model without control flow has one.
  public var subgraphCount: Int
  /// The number of inputs of the first subgraph.
  public var inputCount: Int
  /// The number of outputs of the first subgraph.
  public var outputCount: Int
  /// The number of operators in the first subgraph.
  public var operatorCount: Int
  /// The custom operators that the first subgraph runs, in order.
  public var customOperators: [CustomOperator]

  /// Whether the first subgraph runs a custom operator of this name.
  public func hasCustomOperator(_ name: String) -> Bool { customOperators.contains { $0.name == name } }
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
  /// - Parameter bytes: The whole file; nothing is copied but the texts and options in the result.
  /// - Returns: The summary.
  /// - Throws: `MetadataError` with `notAModel` or `damagedModel`.
  public static func read(_ bytes: Span<UInt8>) throws(MetadataError) -> ModelGraphSummary {
    let root = try ModelFile(bytes).root
    var budget = FlatBudget()
    var customCodes: [String?] = []
    for code in try root.tables(ModelFile.Field.operatorCodes, in: bytes, &budget) {
      customCodes.append(try code.string(Field.customCode, in: bytes, &budget))
    }
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
      let index = Int(try node.uint32(Field.opcodeIndex, in: bytes))
      guard index < customCodes.count else {
        throw .damaged(
          "operator \(position) has the code \(index), but the model lists \(customCodes.count) codes")
      }
      guard let name = customCodes[index] else { continue }
      let options = try node.bytes(Field.customOptions, in: bytes, &budget) ?? []
      summary.customOperators.append(CustomOperator(name: name, options: options))
    }
    return summary
  }

  /// Reads the summary of the TFLite file in `bytes`.
  ///
  /// - Parameter bytes: The whole file.
  /// - Returns: The summary.
  /// - Throws: `MetadataError` with `notAModel` or `damagedModel`.
  public static func read(_ bytes: [UInt8]) throws(MetadataError) -> ModelGraphSummary {
    try read(bytes.span)
  }
}
