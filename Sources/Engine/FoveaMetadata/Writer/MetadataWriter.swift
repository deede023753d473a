// SPDX-License-Identifier: Apache-2.0

/// Writes metadata and files into a TFLite model.
///
/// The model's own bytes are unchanged; a new root is added before them and the files after them:
///
///     | root offset, "TFL3" | new root, lists, metadata, zeros to a multiple of 64 | old model | ZIP |
///
/// FlatBuffer offsets are relative and point forward, so the new root reaches everything in the old model,
/// whose alignment is kept.
public enum MetadataWriter {
  /// The mark before the old model, in bytes that a FlatBuffer treats as padding, so that writing again
  /// replaces the metadata instead of adding more.
  static let mark = Array("fovea:old-model:".utf8)
  private static let alignment = 64
  /// Some offsets of FlatBuffers are signed, which limits them to 2 GiB.
  private static let maxBytes = 0x7FFF_FFFF

  /// Writes a model with metadata, replacing its previous metadata and files.
  ///
  /// Equal input gives equal bytes.
  /// - Parameters:
  ///   - metadata: The new metadata. `minParserVersion` and `modelDescription` are ignored: the first follows
  ///     from the content, the second is unchanged.
  ///   - files: The contents of exactly the files that `metadata` names.
  ///   - model: The whole model file.
  /// - Returns: The bytes of the new model file.
  /// - Throws: `MetadataError` with `cannotWrite`, `countMismatch`, `missingFile`, or a code for a broken
  ///   model.
  public static func write(
    _ metadata: ModelMetadata, files: [AssociatedFileContents] = [], to model: [UInt8]
  ) throws(MetadataError) -> [UInt8] {
    let model = try removing(from: model)
    try check(metadata, files: files, model: model.span)
    let encoded = try MetadataEncoder.encode(metadata)
    // The length of the new front does not depend on the position of the old model, so the first pass
    // measures it.
    let draft = try front(encoded, model: model.span, base: 1 << 30)
    var result = try front(encoded, model: model.span, base: draft.count)
    let total = files.reduce(result.count + model.count) {
      $0 + $1.contents.count + 2 * $1.name.utf8.count + 128
    }
    guard total <= maxBytes else {
      throw MetadataError(
        .tooLarge,
        "The model and its files would have \(total) bytes; a TFLite file can have at most \(maxBytes)",
        remedy: "Remove files")
    }
    result.reserveCapacity(total)
    result += model
    guard !files.isEmpty else { return result }
    var archive = ArchiveWriter()
    for file in files { archive.append(file, to: &result) }
    archive.finish(&result)
    return result
  }

  /// Returns the model without the additions of this writer and without an archive at its end.
  ///
  /// Metadata that another tool wrote into the FlatBuffer itself is not removed, but unused after new
  /// metadata is written.
  /// - Parameter model: The whole model file.
  /// - Returns: The bytes of the model.
  /// - Throws: `MetadataError` if the bytes are not a model or the archive is broken.
  package static func removing(from model: [UInt8]) throws(MetadataError) -> [UInt8] {
    _ = try ModelFile(model.span)
    let end = try ModelArchive.read(model)?.start ?? model.count
    var position = alignment
    // The front from this writer is small: a list of buffers and some text.
    while position + 8 <= min(end, 16 << 20) {
      if model[position - mark.count..<position].elementsEqual(mark),
        model[position + 4..<position + 8].elementsEqual(ModelFile.identifier)
      {
        return Array(model[position..<end])
      }
      position += alignment
    }
    return end == model.count ? model : Array(model[..<end])
  }

  /// Returns the new root and everything new, padded; `base` is the position of the old model.
  private static func front(
    _ metadata: [UInt8], model: Span<UInt8>, base: Int
  ) throws(MetadataError) -> [UInt8] {
    typealias Field = ModelFile.Field
    let root = try ModelFile(model).root
    var budget = FlatBudget()
    var node = FlatNode()
    node.set(Field.version, .uint32(try root.uint32(Field.version, in: model)))
    for field in [
      Field.operatorCodes, Field.subgraphs, Field.description, Field.metadataBuffer, Field.signatureDefs,
    ] {
      guard let slot = try root.slot(field, size: 4, in: model) else { continue }
      node.set(field, .placed(base + (try model.target(at: slot, "the field '\(field.name)'"))))
    }
    let buffers = try root.tables(Field.buffers, in: model, &budget)
    for buffer in buffers {
      let size = try buffer.uint64(Field.bufferSize, in: model)
      guard try buffer.uint64(Field.bufferOffset, in: model) <= 1, size == 0 else {
        throw notSupported(
          "The model stores its weights after the FlatBuffer (buffer offset and size fields)")
      }
    }
    guard root.fieldCount <= Field.signatureDefs.id + 1 else {
      throw notSupported("The model's root has \(root.fieldCount) fields; expected at most 8")
    }
    try checkOperators(of: root, in: model, &budget)
    var buffer = FlatNode()
    buffer.set(Field.bufferData, .bytes(metadata, alignment: 16))
    node.set(Field.buffers, .tables(buffers.map { .placed(base + $0.position) } + [.table(buffer)]))

    var entries: [FlatValue] = []
    for entry in try root.tables(Field.metadata, in: model, &budget) {
      guard try entry.string(Field.entryName, in: model, &budget) != ModelFile.metadataName else { continue }
      entries.append(.placed(base + entry.position))
    }
    var entry = FlatNode()
    entry.set(Field.entryName, string: ModelFile.metadataName)
    entry.set(Field.entryBuffer, .uint32(UInt32(buffers.count)))
    node.set(Field.metadata, .tables(entries + [.table(entry)]))

    var writer = FlatBufferWriter(identifier: ModelFile.identifier)
    writer.root(node)
    writer.align(alignment, before: mark.count)
    return writer.bytes + mark
  }

  /// Verifies that no operator stores its options after the FlatBuffer, as large models may, at offsets from
  /// the file's start.
  private static func checkOperators(
    of root: FlatTable, in model: Span<UInt8>, _ budget: inout FlatBudget
  ) throws(MetadataError) {
    let operators = FlatField(3, "subgraphs.operators")
    let largeOptionsSize = FlatField(10, "operators.large_custom_options_size")
    for subgraph in try root.tables(ModelFile.Field.subgraphs, in: model, &budget) {
      for node in try subgraph.tables(operators, in: model, &budget) {
        guard try node.uint64(largeOptionsSize, in: model) == 0 else {
          throw notSupported("The model stores an operator's options after the FlatBuffer")
        }
      }
    }
  }

  private static func notSupported(_ message: String) -> MetadataError {
    MetadataError(
      .cannotWrite, message, remedy: "Export the model again with the plain FlatBuffer layout, below 2 GB")
  }
}

/// A file to add to a model's archive.
public struct AssociatedFileContents: Sendable, Hashable {
  /// The name in the archive and in the metadata.
  public var name: String
  /// The content of the file.
  public var contents: [UInt8]

  /// Creates a file.
  public init(name: String, contents: [UInt8]) {
    self.name = name
    self.contents = contents
  }
}
