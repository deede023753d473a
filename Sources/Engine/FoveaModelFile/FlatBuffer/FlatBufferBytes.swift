// SPDX-License-Identifier: Apache-2.0

/// Reads little-endian values of a FlatBuffer, each checked against the end of the bytes.
///
/// Positions are absolute. Every function throws instead of trapping, even if the bytes are damaged. Source:
/// FlatBuffers' binary format, "FlatBuffer Internals" of google/flatbuffers.
extension Span<UInt8> {
  /// Returns whether there are `size` bytes at `position`; neither value can overflow the check.
  package func holds(_ size: Int, at position: Int) -> Bool {
    position >= 0 && size >= 0 && position <= count && size <= count - position
  }

  /// Verifies that there are `size` bytes at `position`.
  package func require(_ size: Int, at position: Int, _ what: @autoclosure () -> String) throws(MetadataError)
  {
    guard holds(size, at: position) else {
      // The offset to it is damaged.
      guard position >= 0 else { throw .damaged("\(what()) would be before the first byte") }
      throw .damaged("\(what()) needs \(size) bytes at byte \(position), but the data ends at byte \(count)")
    }
  }

  package func uint8(at position: Int, _ what: @autoclosure () -> String) throws(MetadataError) -> UInt8 {
    try require(1, at: position, what())
    return self[position]
  }

  package func uint16(at position: Int, _ what: @autoclosure () -> String) throws(MetadataError) -> UInt16 {
    try require(2, at: position, what())
    return UInt16(self[position]) | UInt16(self[position + 1]) << 8
  }

  package func uint32(at position: Int, _ what: @autoclosure () -> String) throws(MetadataError) -> UInt32 {
    try require(4, at: position, what())
    return UInt32(self[position]) | UInt32(self[position + 1]) << 8 | UInt32(self[position + 2]) << 16
      | UInt32(self[position + 3]) << 24
  }

  package func uint64(at position: Int, _ what: @autoclosure () -> String) throws(MetadataError) -> UInt64 {
    try require(8, at: position, what())
    let low = try uint32(at: position, what())
    let high = try uint32(at: position + 4, what())
    return UInt64(low) | UInt64(high) << 32
  }

  /// Returns the position that the unsigned offset stored at `position` points to.
  package func target(at position: Int, _ what: @autoclosure () -> String) throws(MetadataError) -> Int {
    let offset = Int(try uint32(at: position, what()))
    guard offset > 0 else { throw .damaged("\(what()) is 0, which points at itself") }
    // Positions and offsets are below 2^32 and the file's size, so the sum cannot overflow.
    guard holds(1, at: position + offset) else {
      throw .damaged("\(what()) points to byte \(position + offset), but the data ends at byte \(count)")
    }
    return position + offset
  }

  /// Returns a copy of the bytes in a range that was checked before.
  package func copy(_ range: Range<Int>) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(range.count)
    for index in range { bytes.append(self[index]) }
    return bytes
  }
}

extension MetadataError {
  /// Returns the error of a broken FlatBuffer; readers of models and metadata may replace the code.
  package static func damaged(_ message: String) -> MetadataError {
    MetadataError(.damagedModel, message, remedy: "Download or export the model file again")
  }
}

/// The limit on the tables and text that are read from one file.
///
/// In a FlatBuffer many offsets may point to one table, so a small malicious file can describe an
/// exponentially large tree; the budget stops that. Real metadata has a few hundred tables and some kilobytes
/// of text.
package struct FlatBudget {
  private var tables = 200_000
  private var bytes = 32 << 20

  package init() {}

  /// Spends `count` tables or offsets.
  package mutating func spend(tables count: Int) throws(MetadataError) {
    guard count <= tables else {
      throw .damaged("the model describes more than 200000 tables, far more than real models")
    }
    tables -= count
  }

  /// Spends `count` bytes that are copied from the file.
  package mutating func spend(bytes count: Int) throws(MetadataError) {
    guard count <= bytes else {
      throw .damaged("the model's strings and vectors have more than 33554432 bytes in total")
    }
    bytes -= count
  }
}
