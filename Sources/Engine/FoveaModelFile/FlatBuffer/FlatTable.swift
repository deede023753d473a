// SPDX-License-Identifier: Apache-2.0

/// A table of a FlatBuffer: positions, checked at its creation; each call gets the bytes as a parameter.
package struct FlatTable {
  package let position: Int
  let vtable: Int
  let vtableLength: Int
  let length: Int

  /// Reads and verifies the table at `position` and its vtable.
  package init(at position: Int, in bytes: Span<UInt8>, _ what: @autoclosure () -> String)
    throws(MetadataError)
  {
    let distance = Int(Int32(bitPattern: try bytes.uint32(at: position, "the table of \(what())")))
    let vtable = position - distance
    let vtableLength = Int(try bytes.uint16(at: vtable, "the vtable of \(what())"))
    try bytes.require(vtableLength, at: vtable, "the vtable of \(what())")
    guard vtableLength >= 4, vtableLength.isMultiple(of: 2) else {
      throw .damaged("the vtable of \(what()) is \(vtableLength) bytes long; expected an even number from 4")
    }
    let length = Int(try bytes.uint16(at: vtable + 2, "the vtable of \(what())"))
    guard length >= 4 else {
      throw .damaged("the table of \(what()) is \(length) bytes long; expected at least 4")
    }
    try bytes.require(length, at: position, "the table of \(what())")
    self.position = position
    self.vtable = vtable
    self.vtableLength = vtableLength
    self.length = length
  }

  /// Returns the table that the first offset of a FlatBuffer points to.
  package static func root(of bytes: Span<UInt8>, _ what: @autoclosure () -> String) throws(MetadataError)
    -> FlatTable
  {
    try FlatTable(at: try bytes.target(at: 0, "the root offset of \(what())"), in: bytes, what())
  }

  /// The number of fields that the vtable has room for.
  package var fieldCount: Int { (vtableLength - 4) / 2 }

  /// Returns the position of a field's inline value; nil if the field is absent.
  package func slot(_ field: FlatField, size: Int, in bytes: Span<UInt8>) throws(MetadataError) -> Int? {
    guard field.id < fieldCount else { return nil }
    let offset = Int(try bytes.uint16(at: vtable + 4 + 2 * field.id, "the vtable entry of '\(field.name)'"))
    guard offset != 0 else { return nil }
    guard offset >= 4, offset + size <= length else {
      throw .damaged(
        "the field '\(field.name)' lies at byte \(offset) of a table of \(length) bytes and needs \(size)")
    }
    return position + offset
  }

  package func uint8(_ field: FlatField, in bytes: Span<UInt8>) throws(MetadataError) -> UInt8 {
    guard let slot = try slot(field, size: 1, in: bytes) else { return 0 }
    return try bytes.uint8(at: slot, "the field '\(field.name)'")
  }

  package func uint32(_ field: FlatField, in bytes: Span<UInt8>) throws(MetadataError) -> UInt32 {
    guard let slot = try slot(field, size: 4, in: bytes) else { return 0 }
    return try bytes.uint32(at: slot, "the field '\(field.name)'")
  }

  package func uint64(_ field: FlatField, in bytes: Span<UInt8>) throws(MetadataError) -> UInt64 {
    guard let slot = try slot(field, size: 8, in: bytes) else { return 0 }
    return try bytes.uint64(at: slot, "the field '\(field.name)'")
  }

  package func float(_ field: FlatField, in bytes: Span<UInt8>) throws(MetadataError) -> Float {
    Float(bitPattern: try uint32(field, in: bytes))
  }

  /// Reads a nested table; nil if the field is absent.
  package func table(
    _ field: FlatField, in bytes: Span<UInt8>, _ budget: inout FlatBudget
  ) throws(MetadataError) -> FlatTable? {
    guard let slot = try slot(field, size: 4, in: bytes) else { return nil }
    try budget.spend(tables: 1)
    return try FlatTable(
      at: try bytes.target(at: slot, "the field '\(field.name)'"), in: bytes, "'\(field.name)'")
  }
}

/// A field of a FlatBuffer table: its number in the schema and its name in errors.
package struct FlatField: Sendable {
  package let id: Int
  package let name: String

  package init(_ id: Int, _ name: String) {
    self.id = id
    self.name = name
  }
}

/// A table of numbers without offsets, and its vtable: it can be moved without knowing its fields.
package struct FlatTableBytes: Sendable {
  /// The size in bytes of the widest numbers in a table.
  static let alignment = 8

  private(set) var vtable: [UInt8]
  private(set) var table: [UInt8]
  /// The table's position modulo `alignment`, which the copy must have too.
  let remainder: Int

  /// Returns the number of a field of one byte; 0 for an absent one.
  func uint8(_ field: FlatField) -> UInt8 {
    let place = offset(of: field)
    return table.indices.contains(place) && place > 0 ? table[place] : 0
  }

  /// Returns the table with another number in a field of one byte; nil if it cannot hold the field.
  func setting(_ field: FlatField, to number: UInt8) -> FlatTableBytes? {
    var copy = self
    let place = offset(of: field)
    guard place == 0 else {
      guard place >= 4, table.indices.contains(place) else { return nil }
      copy.table[place] = number
      return copy
    }
    let entry = Self.entry(of: field)
    guard table.count < Int(UInt16.max), vtable.count < Int(UInt16.max), entry < Int(UInt16.max) - 2 else {
      return nil
    }
    while copy.vtable.count < entry + 2 { copy.vtable.append(0) }
    copy.table.append(number)
    // The vtable begins with its own size and the table's.
    for (place, size) in [(0, copy.vtable.count), (2, copy.table.count), (entry, table.count)] {
      (copy.vtable[place], copy.vtable[place + 1]) = (UInt8(size & 0xFF), UInt8(size >> 8))
    }
    return copy
  }

  private static func entry(of field: FlatField) -> Int { 4 + 2 * field.id }

  /// The offset of a field in the table; 0 for an absent one.
  private func offset(of field: FlatField) -> Int {
    let entry = Self.entry(of: field)
    return entry + 1 < vtable.count ? Int(vtable[entry]) | Int(vtable[entry + 1]) << 8 : 0
  }
}

extension FlatTable {
  /// Returns the table's own bytes; the caller must know that no field is an offset.
  package func plainBytes(
    in bytes: Span<UInt8>, _ budget: inout FlatBudget
  ) throws(MetadataError) -> FlatTableBytes {
    try budget.spend(bytes: vtableLength + length)
    return FlatTableBytes(
      vtable: bytes.copy(vtable..<vtable + vtableLength), table: bytes.copy(position..<position + length),
      remainder: position % FlatTableBytes.alignment)
  }
}
