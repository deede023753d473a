// SPDX-License-Identifier: Apache-2.0

/// An array of NumPy, in version 1.0 of its format: float32, little-endian, rows one after another.
enum NumPyArray {
  private static let magic: [UInt8] = [0x93] + Array("NUMPY".utf8)

  /// Returns the bytes before the numbers of an array.
  static func header(rows: Int, columns: Int) -> [UInt8] {
    var text = "{'descr': '<f4', 'fortran_order': False, 'shape': (\(rows), \(columns)), }"
    // The numbers start at a multiple of 64 bytes.
    let start = magic.count + 4
    text += String(repeating: " ", count: (64 - (start + text.utf8.count + 1) % 64) % 64) + "\n"
    let length = text.utf8.count
    return magic + [1, 0, UInt8(length & 0xFF), UInt8(length >> 8)] + Array(text.utf8)
  }

  /// Returns the bytes of numbers.
  static func bytes(of values: [Float]) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(4 * values.count)
    for value in values {
      let bits = value.bitPattern
      for shift in [0, 8, 16, 24] as [UInt32] { bytes.append(UInt8(truncatingIfNeeded: bits >> shift)) }
    }
    return bytes
  }

  /// Reads an array with two axes.
  /// - Returns: The rows; nil if it is not such an array of float32.
  static func rows(_ bytes: [UInt8]) -> [[Float]]? {
    guard bytes.starts(with: magic), bytes.count > 12 else { return nil }
    let lengthBytes = bytes[6] == 1 ? 2 : 4
    let length = (0..<lengthBytes).reduce(0) { $0 | Int(bytes[8 + $1]) << (8 * $1) }
    let start = 8 + lengthBytes + length
    guard start <= bytes.count else { return nil }
    let text = String(decoding: bytes[(8 + lengthBytes)..<start], as: UTF8.self)
    guard text.contains("'<f4'"), text.contains("'fortran_order': False"),
      let shape = text.split(separator: "(").dropFirst().first?.split(separator: ")").first
    else { return nil }
    let sides = shape.split(separator: ",").compactMap { Int($0.filter { $0 != " " }) }
    guard sides.count == 2, sides[0] >= 0, 1...1_000_000 ~= sides[1] else { return nil }
    let (size, overflow) = sides[0].multipliedReportingOverflow(by: 4 * sides[1])
    guard !overflow, bytes.count - start == size else { return nil }
    return (0..<sides[0]).map { row in
      (0..<sides[1]).map { column in
        let place = start + 4 * (row * sides[1] + column)
        let bits = (0..<4).reduce(UInt32(0)) { $0 | UInt32(bytes[place + $1]) << UInt32(8 * $1) }
        return Float(bitPattern: bits)
      }
    }
  }
}
