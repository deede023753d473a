// SPDX-License-Identifier: Apache-2.0

/// The options of an operator, to write to another file.
package struct OptionsCopy: Sendable {
  /// The type of the options in the schema; 0 for none.
  package let type: UInt8
  package let table: FlatValue?
  package let custom: [UInt8]?

  /// The types of options with only a list of 32-bit numbers in their first field: ReshapeOptions and
  /// SqueezeOptions.
  private static let lists: Set<UInt8> = [17, 30]
  /// ConcatEmbeddingsOptions, VarHandleOptions and BucketizeOptions have other lists or strings, and types
  /// after RightShiftOptions are unknown; all others have only numbers.
  private static let unknown: Set<UInt8> = [3, 111, 115]
  private static let last: UInt8 = 126

  /// Reads the options.
  ///
  /// **Source:** TensorFlow Lite, `schema.fbs` version 3c, union BuiltinOptions.
  /// - Throws: `cannotWrite` for options that cannot be copied.
  package init(_ node: SourceGraph.Node, in bytes: Span<UInt8>, _ budget: inout FlatBudget)
    throws(MetadataError)
  {
    typealias Field = GraphSchema.Operator
    let type = try node.table.uint8(Field.optionsType, in: bytes)
    guard try node.table.uint64(Field.largeOptionsSize, in: bytes) == 0,
      try node.table.uint8(Field.newOptionsType, in: bytes) == 0, !Self.unknown.contains(type),
      type <= Self.last
    else {
      throw MetadataError(
        .cannotWrite, "The operator \(node.kind) has options that cannot be copied",
        remedy: "Export the model again with built-in operators of TensorFlow Lite 2.16 or older")
    }
    custom = try node.table.bytes(Field.customOptions, in: bytes, &budget)
    guard type != 0, let options = try node.table.table(Field.options, in: bytes, &budget) else {
      (self.type, table) = (0, nil)
      return
    }
    self.type = type
    guard Self.lists.contains(type) else {
      table = .plain(try options.plainBytes(in: bytes, &budget))
      return
    }
    let list = FlatField(0, "options.list")
    var copy = FlatNode()
    if try options.slot(list, size: 4, in: bytes) != nil {
      copy.set(list, .uint32s(try options.uint32s(list, in: bytes, &budget)))
    }
    table = .table(copy)
  }

  /// Returns the options of an operator with another fused activation; nil if the operator has none, or
  /// already fuses one.
  func fusing(_ activation: UInt8, into kind: OperatorName) -> OptionsCopy? {
    guard let field = OutputEnds.fusedField(kind.builtin), case .plain(let numbers) = table,
      numbers.uint8(field) == 0
    else { return nil }
    return numbers.setting(field, to: activation).map { OptionsCopy(type: type, table: .plain($0)) }
  }

  private init(type: UInt8, table: FlatValue) { (self.type, self.table, custom) = (type, table, nil) }
}
