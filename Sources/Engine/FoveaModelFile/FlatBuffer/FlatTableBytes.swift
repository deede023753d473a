// SPDX-License-Identifier: Apache-2.0

/// A table that holds numbers and no offsets, with its vtable: what can be moved without knowing its fields.
package struct FlatTableBytes: Sendable {
  /// The widest numbers of a table take so many bytes.
  static let alignment = 8

  let vtable: [UInt8]
  let table: [UInt8]
  /// The table's position modulo `alignment`, which its numbers need again.
  let remainder: Int
}

extension FlatTable {
  /// The table's own bytes; the caller knows that no field of it is an offset.
  package func plainBytes(
    in bytes: Span<UInt8>, _ budget: inout FlatBudget
  ) throws(MetadataError) -> FlatTableBytes {
    try budget.spend(bytes: vtableLength + length)
    return FlatTableBytes(
      vtable: bytes.copy(vtable..<vtable + vtableLength), table: bytes.copy(position..<position + length),
      remainder: position % FlatTableBytes.alignment)
  }
}
