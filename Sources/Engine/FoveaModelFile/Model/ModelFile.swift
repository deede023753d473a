// SPDX-License-Identifier: Apache-2.0

/// A TFLite file, with the tables that lead to its metadata.
///
/// Source of the field numbers: `schema.fbs` of TensorFlow Lite (tables Model, Metadata, Buffer; version 3c).
package struct ModelFile {
  package static let identifier: [UInt8] = Array("TFL3".utf8)
  /// The name of the TFLite metadata in the model's metadata list.
  package static let metadataName = "TFLITE_METADATA"
  package static let metadataIdentifier: [UInt8] = Array("M001".utf8)

  package enum Field {
    package static let version = FlatField(0, "version")
    package static let operatorCodes = FlatField(1, "operator_codes")
    package static let subgraphs = FlatField(2, "subgraphs")
    package static let description = FlatField(3, "description")
    package static let buffers = FlatField(4, "buffers")
    package static let metadataBuffer = FlatField(5, "metadata_buffer")
    package static let metadata = FlatField(6, "metadata")
    package static let signatureDefs = FlatField(7, "signature_defs")
    package static let entryName = FlatField(0, "metadata.name")
    package static let entryBuffer = FlatField(1, "metadata.buffer")
    package static let bufferData = FlatField(0, "buffers.data")
    package static let bufferOffset = FlatField(1, "buffers.offset")
    package static let bufferSize = FlatField(2, "buffers.size")
  }

  package let root: FlatTable

  /// Verifies the identifier and the root table.
  package init(_ bytes: Span<UInt8>) throws(MetadataError) {
    guard bytes.count >= 8, bytes.copy(4..<8) == Self.identifier else {
      throw MetadataError(
        .notAModel,
        "The file is not a TFLite model: bytes 4 to 7 must be TFL3, and it has \(bytes.count) bytes",
        remedy: "Use a .tflite file")
    }
    root = try FlatTable.root(of: bytes, "the model")
  }

  /// Returns the range of the metadata FlatBuffer; nil if the model has none.
  package func metadataRange(in bytes: Span<UInt8>, _ budget: inout FlatBudget) throws(MetadataError)
    -> Range<Int>?
  {
    for entry in try root.tables(Field.metadata, in: bytes, &budget) {
      guard try entry.string(Field.entryName, in: bytes, &budget) == Self.metadataName else { continue }
      let buffers = try root.vector(Field.buffers, stride: 4, in: bytes) ?? .empty
      let index = Int(try entry.uint32(Field.entryBuffer, in: bytes))
      guard index < buffers.count else {
        throw .damaged(
          "\(Self.metadataName) is in buffer \(index), but the model has \(buffers.count) buffers")
      }
      let buffer = try FlatTable.element(index, of: buffers, Field.buffers, in: bytes)
      let range = try Self.range(of: buffer, in: bytes)
      guard range.count >= 8,
        bytes.copy(range.lowerBound + 4..<range.lowerBound + 8) == Self.metadataIdentifier
      else {
        throw .damaged("\(Self.metadataName) does not begin with the identifier M001 (\(range.count) bytes)")
      }
      return range
    }
    return nil
  }

  /// Returns the range of a buffer's bytes, inside the FlatBuffer or, for large models, after it.
  private static func range(of buffer: FlatTable, in bytes: Span<UInt8>) throws(MetadataError) -> Range<Int> {
    if let data = try buffer.vector(Field.bufferData, stride: 1, in: bytes) {
      return data.start..<data.start + data.count
    }
    let offset = Int(clamping: try buffer.uint64(Field.bufferOffset, in: bytes))
    let size = Int(clamping: try buffer.uint64(Field.bufferSize, in: bytes))
    try bytes.require(size, at: offset, "the buffer of \(metadataName)")
    return offset..<offset + size
  }
}
