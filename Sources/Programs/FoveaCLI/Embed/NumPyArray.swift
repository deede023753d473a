// SPDX-License-Identifier: Apache-2.0

import FoveaCore

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

  /// The reason why an array cannot be read.
  struct Problem: Error {
    /// The reason as a clause.
    let words: String
    /// The next step.
    let remedy: Advice

    init(_ words: String, remedy: Advice = FeatureFile.remedy) {
      self.words = words
      self.remedy = remedy
    }

    static let again: Advice = "Copy or write the file again"
  }

  /// Reads an array of float32 with two axes.
  /// - Returns: The rows.
  /// - Throws: The first part of the file that is another one than expected.
  static func rows(_ bytes: [UInt8]) throws(Problem) -> [[Float]] {
    guard bytes.starts(with: magic) else { throw Problem("it is not an array of NumPy") }
    guard bytes.count > 12 else { throw Problem("it ends in its header") }
    let lengthBytes = bytes[6] == 1 ? 2 : 4
    let length = (0..<lengthBytes).reduce(0) { $0 | Int(bytes[8 + $1]) << (8 * $1) }
    let start = 8 + lengthBytes + length
    guard start <= bytes.count else { throw Problem("it ends in its header") }
    let header = Header(String(decoding: bytes[(8 + lengthBytes)..<start], as: UTF8.self))
    guard let header else { throw Problem("its header has no type, order or shape") }
    let sides = try header.sides()
    let rowSize = 4 * sides.columns
    let size = bytes.count - start
    guard size / rowSize >= sides.rows else {
      throw Problem("it ends after \(size / rowSize) of \(sides.rows) rows", remedy: Problem.again)
    }
    guard size == sides.rows * rowSize else {
      throw Problem(
        "it has \(size - sides.rows * rowSize) bytes after its \(sides.rows) rows", remedy: Problem.again)
    }
    return (0..<sides.rows).map { row in
      (0..<sides.columns).map { column in
        let place = start + row * rowSize + 4 * column
        let bits = (0..<4).reduce(UInt32(0)) { $0 | UInt32(bytes[place + $1]) << UInt32(8 * $1) }
        return Float(bitPattern: bits)
      }
    }
  }

  /// The dictionary of Python at the start of an array.
  private struct Header {
    /// The type, order and shape as they are written.
    let type: String
    let order: String
    let shape: String

    init?(_ text: String) {
      // NumPy writes the keys in this order.
      guard let first = text.split(separator: "'descr': ", maxSplits: 1).last,
        let type = first.firstRange(of: ", 'fortran_order': "),
        let order = first.firstRange(of: ", 'shape': "), type.upperBound <= order.lowerBound,
        let end = first[order.upperBound...].firstIndex(of: ")"), first[order.upperBound] == "("
      else { return nil }
      self.type = String(first[..<type.lowerBound])
      self.order = String(first[type.upperBound..<order.lowerBound])
      shape = String(first[order.upperBound...end])
    }

    /// Returns the sides of an array that can be read.
    func sides() throws(Problem) -> (rows: Int, columns: Int) {
      guard type == "'<f4'" else {
        throw Problem(
          "its type is \(type.printable), expected '<f4' (float32)",
          remedy: "Save it again: numpy.save(FILE, features.astype('<f4'))")
      }
      guard order == "False" else {
        throw Problem(
          "its order is Fortran's, expected C's",
          remedy: "Save it again: numpy.save(FILE, numpy.ascontiguousarray(features))")
      }
      let sides = shape.dropFirst().dropLast().split(separator: ",").map { Int($0.filter { $0 != " " }) }
      guard sides.count == 2, let rows = sides[0], let columns = sides[1], rows >= 0 else {
        throw Problem("its shape is \(shape.printable), expected two axes: photos and numbers")
      }
      guard 1...1_000_000 ~= columns else {
        throw Problem("its rows have \(columns) numbers, expected 1 to 1000000")
      }
      return (rows, columns)
    }
  }
}
