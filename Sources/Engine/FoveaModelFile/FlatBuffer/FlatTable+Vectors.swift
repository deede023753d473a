// SPDX-License-Identifier: Apache-2.0

/// The elements of a vector: the position of the first one and the count, checked against the bytes.
package struct FlatVector {
  package let start: Int
  package let count: Int

  package static let empty = FlatVector(start: 0, count: 0)
}

extension FlatTable {
  /// Reads a vector with elements of `stride` bytes; nil if the field is absent.
  package func vector(
    _ field: FlatField, stride: Int, in bytes: Span<UInt8>
  ) throws(MetadataError) -> FlatVector? {
    guard let slot = try slot(field, size: 4, in: bytes) else { return nil }
    let position = try bytes.target(at: slot, "the field '\(field.name)'")
    let count = Int(try bytes.uint32(at: position, "the length of '\(field.name)'"))
    // `count` is below 2^32 and `stride` at most 8: the product cannot overflow.
    guard bytes.holds(count * stride, at: position + 4) else {
      throw .damaged(
        "the vector '\(field.name)' declares \(count) elements of \(stride) bytes, "
          + "but only \(bytes.count - position - 4) bytes are left")
    }
    return FlatVector(start: position + 4, count: count)
  }

  /// Reads a string; nil if the field is absent.
  package func string(
    _ field: FlatField, in bytes: Span<UInt8>, _ budget: inout FlatBudget
  ) throws(MetadataError) -> String? {
    guard let vector = try vector(field, stride: 1, in: bytes) else { return nil }
    return try Self.text(vector, field, in: bytes, &budget)
  }

  /// Reads a vector of strings; empty if the field is absent.
  package func strings(
    _ field: FlatField, in bytes: Span<UInt8>, _ budget: inout FlatBudget
  ) throws(MetadataError) -> [String] {
    let vector = try vector(field, stride: 4, in: bytes) ?? .empty
    try budget.spend(tables: vector.count)
    var result: [String] = []
    result.reserveCapacity(vector.count)
    for index in 0..<vector.count {
      let position = try bytes.target(at: vector.start + 4 * index, "element \(index) of '\(field.name)'")
      let count = Int(try bytes.uint32(at: position, "the length of element \(index) of '\(field.name)'"))
      try bytes.require(count, at: position + 4, "element \(index) of '\(field.name)'")
      result.append(try Self.text(FlatVector(start: position + 4, count: count), field, in: bytes, &budget))
    }
    return result
  }

  /// Reads a vector of 32-bit floats; empty if the field is absent.
  package func floats(
    _ field: FlatField, in bytes: Span<UInt8>, _ budget: inout FlatBudget
  ) throws(MetadataError) -> [Float] {
    try uint32s(field, in: bytes, &budget).map { Float(bitPattern: $0) }
  }

  /// Reads a vector of signed 32-bit integers; empty if the field is absent.
  package func int32s(
    _ field: FlatField, in bytes: Span<UInt8>, _ budget: inout FlatBudget
  ) throws(MetadataError) -> [Int] {
    try uint32s(field, in: bytes, &budget).map { Int(Int32(bitPattern: $0)) }
  }

  /// Reads a vector of unsigned 32-bit integers; empty if the field is absent.
  package func uint32s(
    _ field: FlatField, in bytes: Span<UInt8>, _ budget: inout FlatBudget
  ) throws(MetadataError) -> [UInt32] {
    let vector = try vector(field, stride: 4, in: bytes) ?? .empty
    try budget.spend(bytes: 4 * vector.count)
    var result: [UInt32] = []
    result.reserveCapacity(vector.count)
    for index in 0..<vector.count {
      result.append(try bytes.uint32(at: vector.start + 4 * index, "element \(index) of '\(field.name)'"))
    }
    return result
  }

  /// Copies a vector of bytes; nil if the field is absent.
  package func bytes(
    _ field: FlatField, in bytes: Span<UInt8>, _ budget: inout FlatBudget
  ) throws(MetadataError) -> [UInt8]? {
    guard let vector = try vector(field, stride: 1, in: bytes) else { return nil }
    try budget.spend(bytes: vector.count)
    return bytes.copy(vector.start..<vector.start + vector.count)
  }

  /// Reads a vector of tables; empty if the field is absent.
  package func tables(
    _ field: FlatField, in bytes: Span<UInt8>, _ budget: inout FlatBudget
  ) throws(MetadataError) -> [FlatTable] {
    let vector = try vector(field, stride: 4, in: bytes) ?? .empty
    try budget.spend(tables: vector.count)
    var result: [FlatTable] = []
    result.reserveCapacity(vector.count)
    for index in 0..<vector.count {
      result.append(try Self.element(index, of: vector, field, in: bytes))
    }
    return result
  }

  /// Reads one table of a vector of tables.
  package static func element(
    _ index: Int, of vector: FlatVector, _ field: FlatField, in bytes: Span<UInt8>
  ) throws(MetadataError) -> FlatTable {
    // The text is created only for errors: a model has thousands of elements.
    func what() -> String { "element \(index) of '\(field.name)'" }
    return try FlatTable(at: try bytes.target(at: vector.start + 4 * index, what()), in: bytes, what())
  }

  private static func text(
    _ vector: FlatVector, _ field: FlatField, in bytes: Span<UInt8>, _ budget: inout FlatBudget
  ) throws(MetadataError) -> String {
    try budget.spend(bytes: vector.count)
    guard let text = String(validating: bytes.copy(vector.start..<vector.start + vector.count), as: UTF8.self)
    else { throw .damaged("the text of '\(field.name)' is not UTF-8") }
    return text
  }
}
