// SPDX-License-Identifier: Apache-2.0

/// Decodes a metadata FlatBuffer as a `ModelMetadata`, within a budget.
struct MetadataReader {
  private typealias Schema = MetadataSchema
  var budget: FlatBudget

  mutating func model(in bytes: Span<UInt8>) throws(MetadataError) -> ModelMetadata {
    let root = try FlatTable.root(of: bytes, "the metadata")
    var metadata = ModelMetadata()
    metadata.name = try root.string(Schema.Model.name, in: bytes, &budget)
    metadata.description = try root.string(Schema.Model.description, in: bytes, &budget)
    metadata.version = try root.string(Schema.Model.version, in: bytes, &budget)
    metadata.author = try root.string(Schema.Model.author, in: bytes, &budget)
    metadata.license = try root.string(Schema.Model.license, in: bytes, &budget)
    metadata.minParserVersion = try root.string(Schema.Model.minParserVersion, in: bytes, &budget)
    metadata.files = try files(Schema.Model.files, of: root, in: bytes)
    for table in try root.tables(Schema.Model.subgraphs, in: bytes, &budget) {
      metadata.subgraphs.append(try subgraph(table, in: bytes))
    }
    return metadata
  }

  private mutating func subgraph(
    _ table: FlatTable, in bytes: Span<UInt8>
  ) throws(MetadataError) -> ModelMetadata.Subgraph {
    var subgraph = ModelMetadata.Subgraph()
    subgraph.name = try table.string(Schema.Subgraph.name, in: bytes, &budget)
    subgraph.description = try table.string(Schema.Subgraph.description, in: bytes, &budget)
    subgraph.inputs = try tensors(Schema.Subgraph.inputs, "input", of: table, in: bytes)
    subgraph.outputs = try tensors(Schema.Subgraph.outputs, "output", of: table, in: bytes)
    subgraph.files = try files(Schema.Subgraph.files, of: table, in: bytes)
    subgraph.inputGroups = try groups(Schema.Subgraph.inputGroups, of: table, in: bytes)
    subgraph.outputGroups = try groups(Schema.Subgraph.outputGroups, of: table, in: bytes)
    for part in try table.tables(Schema.Subgraph.customMetadata, in: bytes, &budget) {
      subgraph.customMetadata.append(
        CustomMetadata(
          name: try part.string(Schema.Custom.name, in: bytes, &budget) ?? "",
          data: try part.bytes(Schema.Custom.data, in: bytes, &budget) ?? []))
    }
    return subgraph
  }

  private mutating func groups(
    _ field: FlatField, of table: FlatTable, in bytes: Span<UInt8>
  ) throws(MetadataError) -> [ModelMetadata.TensorGroup] {
    var groups: [ModelMetadata.TensorGroup] = []
    for group in try table.tables(field, in: bytes, &budget) {
      groups.append(
        ModelMetadata.TensorGroup(
          name: try group.string(Schema.Group.name, in: bytes, &budget),
          tensorNames: try group.strings(Schema.Group.tensorNames, in: bytes, &budget)))
    }
    return groups
  }

  private mutating func tensors(
    _ field: FlatField, _ direction: String, of table: FlatTable, in bytes: Span<UInt8>
  ) throws(MetadataError) -> [TensorMetadata] {
    var tensors: [TensorMetadata] = []
    for (index, table) in try table.tables(field, in: bytes, &budget).enumerated() {
      do { tensors.append(try tensor(table, in: bytes)) } catch {
        throw error.prefixed("\(direction) \(index)")
      }
    }
    return tensors
  }

  private mutating func tensor(
    _ table: FlatTable, in bytes: Span<UInt8>
  ) throws(MetadataError) -> TensorMetadata {
    var tensor = TensorMetadata()
    tensor.name = try table.string(Schema.Tensor.name, in: bytes, &budget)
    tensor.description = try table.string(Schema.Tensor.description, in: bytes, &budget)
    tensor.dimensionNames = try table.strings(Schema.Tensor.dimensionNames, in: bytes, &budget)
    tensor.files = try files(Schema.Tensor.files, of: table, in: bytes)
    if let stats = try table.table(Schema.Tensor.stats, in: bytes, &budget) {
      tensor.maximum = try stats.floats(Schema.Stats.max, in: bytes, &budget)
      tensor.minimum = try stats.floats(Schema.Stats.min, in: bytes, &budget)
    }
    if let content = try table.table(Schema.Tensor.content, in: bytes, &budget) {
      tensor.content = try self.content(content, in: bytes)
      tensor.contentRange = try contentRange(content, in: bytes)
    }
    for unit in try table.tables(Schema.Tensor.processUnits, in: bytes, &budget) {
      guard let unit = try processUnit(unit, in: bytes) else { continue }
      guard !tensor.processUnits.contains(where: { $0.kind == unit.kind }) else {
        throw .damaged("there are two process units of type \(unit.kind); expected at most one")
      }
      tensor.processUnits.append(unit)
    }
    return tensor
  }

  private mutating func files(
    _ field: FlatField, of table: FlatTable, in bytes: Span<UInt8>
  ) throws(MetadataError) -> [AssociatedFile] {
    var files: [AssociatedFile] = []
    for file in try table.tables(field, in: bytes, &budget) {
      files.append(
        AssociatedFile(
          name: try file.string(Schema.File.name, in: bytes, &budget) ?? "",
          kind: AssociatedFile.Kind(rawValue: try file.uint8(Schema.File.type, in: bytes)),
          locale: try file.string(Schema.File.locale, in: bytes, &budget),
          description: try file.string(Schema.File.description, in: bytes, &budget),
          version: try file.string(Schema.File.version, in: bytes, &budget)))
    }
    return files
  }
}
