// SPDX-License-Identifier: Apache-2.0

/// Zeros in the coded data of a JPEG, as a copy has them that lost a block in its middle.
///
/// A decoder takes them for codes, mostly without a warning. In a table of AC codes the code of zeros alone
/// stands for its first symbol. Where that ends a block, zeros are what a flat area is coded in; where it is
/// another one, so many in a row are no image.
///
/// **Source:** ITU-T T.81, annex C (codes), F.1.2.2 and G.1.2.2 (symbols of AC coefficients).
struct JPEGHole {
  private let file: [UInt8]
  /// A bit for each table of AC codes, 1 where the code of zeros does not end a block.
  private var otherTables: UInt16 = 0
  private var isProgressive = false

  /// How many zeros in a row are no codes.
  private static let leastZeros = 64

  private init(_ file: [UInt8]) { self.file = file }

  /// Looks for zeros that the decoder has taken for codes.
  /// - Parameters:
  ///   - file: The bytes of the file.
  ///   - unread: How many bytes before the end marker the decoder has left over; nil where it does not say.
  /// - Returns: How many zeros are in a row; nil where there are none, or where they can be a flat area.
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
      // A sound file ends here, after a look at each 64th of its bytes.
      if isFirstScan, zeros(in: offset..<file.count) == nil { return nil }
      isFirstScan = false
      let end = JPEGEnding.endOfCodedData(reader, from: offset)
      if hasOtherCodes(segment) {
        // What fills a file up behind its last block is no part of the image.
        let fill: Int = unread ?? file[offset..<end].reversed().prefix(while: { $0 == 0 }).count
        if let count = zeros(in: offset..<max(offset, end - fill)) { return count }
      }
      offset = end
    }
    return nil
  }

  /// Notes what the first symbol of each table of AC codes is, which the code of zeros stands for.
  private mutating func take(tables segment: ByteReader) {
    var offset = 0
    while let head = segment.byte(at: offset) {
      let count = (1...16).reduce(0) { $0 + Int(segment.byte(at: offset + $1) ?? 0) }
      if head >> 4 == 1, count > 0, let symbol = segment.byte(at: offset + 17) {
        let table: UInt16 = 1 << UInt16(head & 0x0f)
        // A size of 0 ends a block, or several; but 0xf0, which is 16 coefficients of 0.
        let isOther = symbol & 0x0f != 0 || symbol == 0xf0
        otherTables = isOther ? otherTables | table : otherTables & ~table
      }
      offset += 17 + count
    }
  }

  /// Whether zeros are codes of coefficients in one of the tables of a scan.
  ///
  /// Scans of DC coefficients and those that refine others are not known to have none.
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

  /// How many zeros are in a row, where these are `leastZeros` or more.
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
