// SPDX-License-Identifier: Apache-2.0

/// A run of zeros in the coded data of a JPEG, left by a copy that lost a block in the middle.
///
/// A decoder reads them as codes, mostly without a warning. In a table of AC codes, the code of only zeros
/// means the table's first symbol. If that symbol ends a block, zeros encode a flat area; with any other
/// symbol, this many in a row cannot be an image.
///
/// **Source:** ITU-T T.81, annex C (codes), F.1.2.2 and G.1.2.2 (symbols of AC coefficients).
struct JPEGHole {
  private let file: [UInt8]
  /// One bit per table of AC codes, 1 if the code of zeros does not end a block.
  private var otherTables: UInt16 = 0
  private var isProgressive = false

  /// The smallest number of zeros in a row that cannot be codes.
  private static let leastZeros = 64

  private init(_ file: [UInt8]) { self.file = file }

  /// Finds zeros that the decoder has read as codes.
  /// - Parameters:
  ///   - file: The contents of the file.
  ///   - unread: The number of unread bytes before the end marker; nil if the decoder does not report it.
  /// - Returns: The number of zeros in a row; nil if there are none, or if they can be a flat area.
  static func zeros(in file: [UInt8], unread: Int?) -> Int? {
    var hole = JPEGHole(file)
    return hole.find(unread: unread)
  }

  private mutating func find(unread: Int?) -> Int? {
    let reader = ByteReader(file)
    var offset = 2
    var isFirstScan = true
    while let (marker, content) = reader.nextJPEGSegment(from: &offset) {
      let segment = ByteReader(file, from: content.lowerBound, count: content.count)
      if marker == 0xc2 { isProgressive = true }
      if marker == 0xc4 { take(tables: segment) }
      guard marker == 0xda else { continue }
      // An intact file ends here, after a check of every 64th byte.
      if isFirstScan, zeros(in: offset..<file.count) == nil { return nil }
      isFirstScan = false
      let end = JPEGEnding.endOfCodedData(reader, from: offset)
      if hasOtherCodes(segment) {
        // Padding after the last block is not part of the image.
        let fill: Int = unread ?? file[offset..<end].reversed().prefix(while: { $0 == 0 }).count
        if let count = zeros(in: offset..<max(offset, end - fill)) { return count }
      }
      offset = end
    }
    return nil
  }

  /// Records the first symbol of each table of AC codes, which is the symbol that a code of zeros encodes.
  private mutating func take(tables segment: ByteReader) {
    var offset = 0
    while let head = segment.byte(at: offset) {
      let count = (1...16).reduce(0) { $0 + Int(segment.byte(at: offset + $1) ?? 0) }
      if head >> 4 == 1, count > 0, let symbol = segment.byte(at: offset + 17) {
        let table: UInt16 = 1 << UInt16(head & 0x0f)
        // A size of 0 ends one or several blocks, except 0xf0, which means 16 coefficients of 0.
        let isOther = symbol & 0x0f != 0 || symbol == 0xf0
        otherTables = isOther ? otherTables | table : otherTables & ~table
      }
      offset += 17 + count
    }
  }

  /// Returns whether zeros are codes of coefficients in one of the tables of a scan.
  ///
  /// For scans of DC coefficients and for refinement scans this is unknown, so it returns false.
  private func hasOtherCodes(_ scan: ByteReader) -> Bool {
    guard let components = scan.byte(at: 0) else { return false }
    let count = Int(components)
    if isProgressive {
      guard let first = scan.byte(at: 1 + 2 * count), let bits = scan.byte(at: 3 + 2 * count), first > 0,
        bits >> 4 == 0
      else { return false }
    }
    return (0..<count).contains { index in
      scan.byte(at: 2 + 2 * index).map { otherTables >> UInt16($0 & 0x0f) & 1 == 1 } ?? false
    }
  }

  /// Returns the number of zeros in a row, if there are at least `leastZeros`.
  private func zeros(in range: Range<Int>) -> Int? {
    for offset in stride(from: range.lowerBound, to: range.upperBound, by: Self.leastZeros)
    where file[offset] == 0 {
      let before = file[range.lowerBound..<offset].reversed().prefix(while: { $0 == 0 }).count
      let count = before + file[offset..<range.upperBound].prefix(while: { $0 == 0 }).count
      if count >= Self.leastZeros { return count }
    }
    return nil
  }
}
