// SPDX-License-Identifier: Apache-2.0

/// Encodes a `ModelMetadata` as the tables of TFLite's metadata.
enum MetadataEncoder {
  private typealias Schema = MetadataSchema

  /// Returns the metadata FlatBuffer with its identifier.
  static func encode(_ metadata: ModelMetadata) throws(MetadataError) -> [UInt8] {
    var node = FlatNode()
    node.set(Schema.Model.name, string: metadata.name)
    node.set(Schema.Model.description, string: metadata.description)
    node.set(Schema.Model.version, string: metadata.version)
    var subgraphs: [FlatNode] = []
    for subgraph in metadata.subgraphs { subgraphs.append(try encode(subgraph)) }
    node.set(Schema.Model.subgraphs, nodes: subgraphs)
    node.set(Schema.Model.author, string: metadata.author)
    node.set(Schema.Model.license, string: metadata.license)
    node.set(Schema.Model.files, nodes: metadata.files.map(encode))
    node.set(Schema.Model.minParserVersion, string: minParserVersion(for: metadata))
    var writer = FlatBufferWriter(identifier: ModelFile.metadataIdentifier)
    writer.root(node)
    return writer.bytes
  }

  /// Returns the lowest schema version with everything that is written, from the history in
  /// `metadata_schema.fbs`.
  static func minParserVersion(for metadata: ModelMetadata) -> String {
    if metadata.subgraphs.contains(where: { !$0.customMetadata.isEmpty }) { return "1.5.0" }
    let files = metadata.allFiles
    if files.contains(where: { $0.version != nil }) { return "1.4.1" }
    if files.contains(where: { $0.kind == .scannIndex }) { return "1.4.0" }
    if metadata.subgraphs.contains(where: { !$0.inputGroups.isEmpty || !$0.outputGroups.isEmpty }) {
      return "1.2.0"
    }
    if files.contains(where: { $0.kind == .vocabulary }) { return "1.0.1" }
    return "1.0.0"
  }

  private static func encode(_ subgraph: ModelMetadata.Subgraph) throws(MetadataError) -> FlatNode {
    var node = FlatNode()
    node.set(Schema.Subgraph.name, string: subgraph.name)
    node.set(Schema.Subgraph.description, string: subgraph.description)
    var inputs: [FlatNode] = []
    for tensor in subgraph.inputs { inputs.append(try encode(tensor)) }
    var outputs: [FlatNode] = []
    for tensor in subgraph.outputs { outputs.append(try encode(tensor)) }
    node.set(Schema.Subgraph.inputs, nodes: inputs)
    node.set(Schema.Subgraph.outputs, nodes: outputs)
    node.set(Schema.Subgraph.files, nodes: subgraph.files.map(encode))
    node.set(Schema.Subgraph.inputGroups, nodes: subgraph.inputGroups.map(encode))
    node.set(Schema.Subgraph.outputGroups, nodes: subgraph.outputGroups.map(encode))
    node.set(
      Schema.Subgraph.customMetadata,
      nodes: subgraph.customMetadata.map { part in
        var node = FlatNode()
        node.set(Schema.Custom.name, string: part.name)
        node.set(Schema.Custom.data, .bytes(part.data, alignment: 16))
        return node
      })
    return node
  }

  private static func encode(_ group: ModelMetadata.TensorGroup) -> FlatNode {
    var node = FlatNode()
    node.set(Schema.Group.name, string: group.name)
    node.set(Schema.Group.tensorNames, group.tensorNames.isEmpty ? nil : .strings(group.tensorNames))
    return node
  }

  private static func encode(_ file: AssociatedFile) -> FlatNode {
    var node = FlatNode()
    node.set(Schema.File.name, string: file.name)
    node.set(Schema.File.description, string: file.description)
    node.set(Schema.File.type, file.kind == .unknown ? nil : .uint8(file.kind.rawValue))
    node.set(Schema.File.locale, string: file.locale)
    node.set(Schema.File.version, string: file.version)
    return node
  }

  private static func encode(_ tensor: TensorMetadata) throws(MetadataError) -> FlatNode {
    var node = FlatNode()
    node.set(Schema.Tensor.name, string: tensor.name)
    node.set(Schema.Tensor.description, string: tensor.description)
    node.set(
      Schema.Tensor.dimensionNames, tensor.dimensionNames.isEmpty ? nil : .strings(tensor.dimensionNames))
    node.set(Schema.Tensor.content, try contentNode(tensor).map { .table($0) })
    var units: [FlatNode] = []
    for unit in tensor.processUnits { units.append(try encode(unit)) }
    node.set(Schema.Tensor.processUnits, nodes: units)
    if !tensor.minimum.isEmpty || !tensor.maximum.isEmpty {
      var stats = FlatNode()
      stats.set(Schema.Stats.max, floats: tensor.maximum)
      stats.set(Schema.Stats.min, floats: tensor.minimum)
      node.set(Schema.Tensor.stats, .table(stats))
    }
    node.set(Schema.Tensor.files, nodes: tensor.files.map(encode))
    return node
  }
}
