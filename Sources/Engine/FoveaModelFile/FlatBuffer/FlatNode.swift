// SPDX-License-Identifier: Apache-2.0

/// A table to write as a FlatBuffer: values by field number, in any order.
package struct FlatNode: Sendable {
  package private(set) var entries: [FlatEntry] = []

  package init() {}

  /// Sets a field; nil omits it.
  package mutating func set(_ field: FlatField, _ value: FlatValue?) {
    if let value { entries.append(FlatEntry(id: field.id, value: value)) }
  }

  /// Sets a string field; nil omits it.
  package mutating func set(_ field: FlatField, string: String?) { set(field, string.map { .string($0) }) }

  /// Sets a vector of new tables; an empty one is omitted.
  package mutating func set(_ field: FlatField, nodes: [FlatNode]) {
    set(field, nodes.isEmpty ? nil : .tables(nodes.map { .table($0) }))
  }

  /// Sets a vector of floats; an empty one is omitted.
  package mutating func set(_ field: FlatField, floats: [Float]) {
    set(field, floats.isEmpty ? nil : .uint32s(floats.map(\.bitPattern)))
  }
}

/// A field's number and value.
package struct FlatEntry: Sendable {
  package let id: Int
  package let value: FlatValue
}

/// The value of a field.
package indirect enum FlatValue: Sendable {
  case uint8(UInt8)
  case uint32(UInt32)
  case string(String)
  case bytes([UInt8], alignment: Int)
  case uint32s([UInt32])
  case uint64s([UInt64])
  case strings([String])
  case table(FlatNode)
  /// A table of numbers from another file.
  case plain(FlatTableBytes)
  /// A vector of tables: `table`, or `placed` for one that is already written.
  case tables([FlatValue])
  /// An object that is already written, by its position in the finished bytes.
  case placed(Int)
}
