// SPDX-License-Identifier: Apache-2.0

/// The numbers of a FlexBuffer map: the options of a custom operator.
///
/// Only integers, floats and booleans at the top level are read; other values are ignored. Every position is
/// checked, so any bytes are safe.
///
/// **Source:** FlatBuffers, "FlexBuffers" in `internals.md`: the last two bytes are the root's packed type
/// and its width; offsets point backwards; a map is a vector with its keys' offset and width, and its size,
/// in front.
package struct FlexMap {
  package private(set) var numbers: [String: Double] = [:]
  /// Whether all values are numbers and all keys are sorted and unique, as a search requires.
  package private(set) var isPlain = true

  private static let mapType: UInt8 = 9
  private static let maximumEntries = 1024

  /// Reads a map; returns nil if the bytes are not one.
  package init?(_ bytes: [UInt8]) {
    guard bytes.count >= 3 else { return nil }
    let rootWidth = Int(bytes[bytes.count - 1])
    let root = bytes.count - 2 - rootWidth
    guard bytes[bytes.count - 2] >> 2 == Self.mapType, let offset = Self.size(bytes, root, rootWidth)
    else { return nil }
    let width = 1 << Int(bytes[bytes.count - 2] & 3)
    let start = root - offset
    guard let count = Self.size(bytes, start - width, width), count <= Self.maximumEntries,
      let keyWidth = Self.size(bytes, start - 2 * width, width), [1, 2, 4, 8].contains(keyWidth),
      let keyOffset = Self.size(bytes, start - 3 * width, width)
    else { return nil }
    let keys = start - 3 * width - keyOffset
    // Searches read the number of keys from the keys' own vector.
    if Self.size(bytes, keys - keyWidth, keyWidth) != count { isPlain = false }
    var previous: ArraySlice<UInt8>?
    for index in 0..<count {
      let slot = keys + index * keyWidth
      guard let back = Self.size(bytes, slot, keyWidth), let place = Self.textRange(bytes, slot - back),
        let key = String(validating: bytes[place], as: UTF8.self),
        bytes.indices.contains(start + count * width + index)
      else { return nil }
      let type = bytes[start + count * width + index]
      let number = Self.number(bytes, start + index * width, width, type: type)
      numbers[key] = number
      if number == nil || previous.map({ !$0.lexicographicallyPrecedes(bytes[place]) }) ?? false {
        isPlain = false
      }
      previous = bytes[place]
    }
  }

  /// Returns an integer of the map; nil if there is none.
  package func int(_ key: String) -> Int? { numbers[key].flatMap { Int(exactly: $0) } }

  private static func number(_ bytes: [UInt8], _ position: Int, _ width: Int, type: UInt8) -> Double? {
    switch type >> 2 {
    case 1:
      let unused = UInt64(64 - 8 * width)
      return bits(bytes, position, width).map { Double(Int64(bitPattern: $0 << unused) >> Int64(unused)) }
    case 2, 26: return bits(bytes, position, width).map { Double($0) }
    case 3: return float(bytes, position, width)
    case 6, 7, 8:
      let wide = 1 << Int(type & 3)
      guard let back = size(bytes, position, width) else { return nil }
      return number(bytes, position - back, wide, type: (type >> 2 - 5) << 2)
    default: return nil
    }
  }

  private static func bits(_ bytes: [UInt8], _ position: Int, _ width: Int) -> UInt64? {
    guard [1, 2, 4, 8].contains(width), position >= 0, position <= bytes.count - width else { return nil }
    var value: UInt64 = 0
    for index in (0..<width).reversed() { value = value << 8 | UInt64(bytes[position + index]) }
    return value
  }

  /// Reads a count or a distance; nil if it exceeds the number of bytes, so that sums cannot overflow.
  private static func size(_ bytes: [UInt8], _ position: Int, _ width: Int) -> Int? {
    bits(bytes, position, width).flatMap { $0 <= UInt64(bytes.count) ? Int($0) : nil }
  }

  private static func float(_ bytes: [UInt8], _ position: Int, _ width: Int) -> Double? {
    guard let bits = bits(bytes, position, width) else { return nil }
    switch width {
    case 4: return Double(Float(bitPattern: UInt32(truncatingIfNeeded: bits)))
    case 8: return Double(bitPattern: bits)
    default: return nil
    }
  }

  private static func textRange(_ bytes: [UInt8], _ start: Int) -> Range<Int>? {
    guard bytes.indices.contains(start), let end = bytes[start...].firstIndex(of: 0) else { return nil }
    return start..<end
  }
}
