// SPDX-License-Identifier: Apache-2.0

/// Writes FlatBuffer tables from the front to the back.
///
/// FlatBuffers' own builders work from the back. Writing a parent before its children needs only a patched
/// offset, and allows a table to point to bytes that follow later. Offsets are unsigned, so parents come
/// first.
package struct FlatBufferWriter {
  package private(set) var bytes: [UInt8]
  /// The positions of offsets to placed objects.
  private var placedSlots: [Int] = []

  /// Starts a FlatBuffer with room for the root offset, and its identifier.
  package init(identifier: [UInt8]) { bytes = [0, 0, 0, 0] + identifier }

  /// Writes the root table and everything that it refers to.
  package mutating func root(_ node: FlatNode) { write(node, offsetAt: 0) }

  /// Appends zeros until the size plus `before` bytes is a multiple of `alignment`.
  package mutating func align(_ alignment: Int, before: Int = 0) {
    while !(bytes.count + before).isMultiple(of: alignment) { bytes.append(0) }
  }

  private mutating func write(_ node: FlatNode, offsetAt slot: Int) {
    let fields = node.entries.sorted { $0.id < $1.id }
    let fieldCount = (fields.last?.id ?? -1) + 1
    // All inline values, including single bytes, take four bytes: slightly larger, but without sorting by
    // size.
    let length = 4 + 4 * fields.count
    var vtable = [UInt16](repeating: 0, count: fieldCount)
    for (index, entry) in fields.enumerated() { vtable[entry.id] = UInt16(4 + 4 * index) }
    let vtableLength = 4 + 2 * fieldCount
    align(4, before: vtableLength)
    let start = bytes.count
    bytes.append(littleEndian: UInt16(vtableLength))
    bytes.append(littleEndian: UInt16(length))
    for offset in vtable { bytes.append(littleEndian: offset) }
    let table = bytes.count
    patch(slot, to: table)
    bytes.append(littleEndian: Int32(table - start))
    bytes += [UInt8](repeating: 0, count: 4 * fields.count)
    for (index, entry) in fields.enumerated() { write(entry.value, at: table + 4 + 4 * index) }
  }

  private mutating func write(_ value: FlatValue, at slot: Int) {
    switch value {
    case .uint8(let number): bytes[slot] = number
    case .uint32(let number): store(number, at: slot)
    case .string(let text): vector(Array(text.utf8), alignment: 4, offsetAt: slot, terminated: true)
    case .bytes(let content, let alignment):
      vector(content, alignment: alignment, offsetAt: slot, terminated: false)
    case .uint32s(let numbers):
      beginVector(count: numbers.count, offsetAt: slot)
      for number in numbers { bytes.append(littleEndian: number) }
    case .uint64s(let numbers):
      align(8, before: 4)
      beginVector(count: numbers.count, offsetAt: slot)
      for number in numbers { bytes.append(littleEndian: number) }
    case .strings(let texts):
      let first = beginVector(count: texts.count, offsetAt: slot)
      bytes += [UInt8](repeating: 0, count: 4 * texts.count)
      for (index, text) in texts.enumerated() { write(.string(text), at: first + 4 * index) }
    case .table(let node): write(node, offsetAt: slot)
    case .plain(let table): write(table, offsetAt: slot)
    case .placed(let position):
      placedSlots.append(slot)
      patch(slot, to: position)
    case .tables(let elements):
      let first = beginVector(count: elements.count, offsetAt: slot)
      bytes += [UInt8](repeating: 0, count: 4 * elements.count)
      for (index, element) in elements.enumerated() { write(element, at: first + 4 * index) }
    }
  }

  private mutating func write(_ plain: FlatTableBytes, offsetAt slot: Int) {
    while (bytes.count + plain.vtable.count) % FlatTableBytes.alignment != plain.remainder { bytes.append(0) }
    bytes += plain.vtable
    let table = bytes.count
    patch(slot, to: table)
    bytes += plain.table
    store(UInt32(plain.vtable.count), at: table)
  }

  private mutating func vector(_ content: [UInt8], alignment: Int, offsetAt slot: Int, terminated: Bool) {
    align(max(4, alignment), before: 4)
    patch(slot, to: bytes.count)
    bytes.append(littleEndian: UInt32(content.count))
    bytes += content
    if terminated { bytes.append(0) }
  }

  @discardableResult
  private mutating func beginVector(count: Int, offsetAt slot: Int) -> Int {
    align(4)
    patch(slot, to: bytes.count)
    bytes.append(littleEndian: UInt32(count))
    return bytes.count
  }

  /// Moves all placed objects by `distance`, for the old bytes, whose position is known only after the new
  /// bytes are written.
  package mutating func movePlaced(by distance: Int) {
    for slot in placedSlots {
      let stored = (0..<4).reduce(UInt32(0)) { $0 | UInt32(bytes[slot + $1]) << (8 * UInt32($1)) }
      store(stored &+ UInt32(distance), at: slot)
    }
  }

  private mutating func patch(_ slot: Int, to position: Int) {
    store(UInt32(truncatingIfNeeded: position - slot), at: slot)
  }

  private mutating func store(_ value: UInt32, at slot: Int) {
    for index in 0..<4 { bytes[slot + index] = UInt8(truncatingIfNeeded: value >> (8 * UInt32(index))) }
  }
}

extension [UInt8] {
  /// Appends the bytes of an integer, lowest first.
  package mutating func append<Value: FixedWidthInteger>(littleEndian value: Value) {
    var rest = value
    for _ in 0..<Value.bitWidth / 8 {
      append(UInt8(truncatingIfNeeded: rest))
      rest >>= 8
    }
  }
}
