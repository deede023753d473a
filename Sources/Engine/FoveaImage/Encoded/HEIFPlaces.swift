// SPDX-License-Identifier: Apache-2.0

/// The places of the bytes of items in a HEIC or AVIF file.
///
/// **Source:** ISO/IEC 14496-12, section 8.11.3 (`iloc`).
struct HEIFPlaces {
  /// The content of the box `idat`.
  var data: Range<Int>?

  private let file: ISOBoxes
  private var items: [Int: Item] = [:]
  private var offsetSize = 0
  private var lengthSize = 0
  private var indexSize = 0

  private struct Item {
    /// 0: the extents are places in the file; 1: in `idat`.
    let method: Int
    let base: Int
    /// The offset of the first extent in the file.
    let extents: Int
    let count: Int
  }

  init(_ file: ISOBoxes) { self.file = file }

  /// Reads the content of an `iloc` box.
  mutating func addItems(_ box: Range<Int>) {
    guard let version = file.reader.byte(at: box.lowerBound),
      let sizes = file.reader.uint16BE(at: box.lowerBound + 4)
    else { return }
    (offsetSize, lengthSize) = (sizes >> 12, sizes >> 8 & 15)
    let baseSize = sizes >> 4 & 15
    indexSize = version == 0 ? 0 : sizes & 15
    let idSize = version < 2 ? 2 : 4
    let methodSize = version == 0 ? 0 : 2
    var offset = box.lowerBound + 6 + idSize
    for _ in 0..<(file.number(at: offset - idSize, count: idSize) ?? 0) {
      guard offset < box.upperBound, let item = file.number(at: offset, count: idSize),
        let method = file.number(at: offset + idSize, count: methodSize)
      else { return }
      // A data reference of two bytes precedes the base.
      offset += idSize + methodSize + 2
      guard let base = file.number(at: offset, count: baseSize),
        let count = file.reader.uint16BE(at: offset + baseSize)
      else { return }
      offset += baseSize + 2
      if items[item] == nil {
        items[item] = Item(method: method & 15, base: base, extents: offset, count: count)
      }
      offset += count * (indexSize + offsetSize + lengthSize)
    }
  }

  /// Returns the bytes of an item; nil if the file does not contain them.
  ///
  /// `HEIFItems` limits their number. They are copied only if they have several extents.
  func content(of item: Int) -> ByteReader? {
    guard let place = items[item] else { return nil }
    let source: Range<Int>
    switch (place.method, data) {
    case (0, _): source = 0..<file.reader.count
    case (1, let data?): source = data
    default: return nil
    }
    var bytes: [UInt8] = []
    var offset = place.extents
    for _ in 0..<place.count {
      offset += indexSize
      guard let start = file.number(at: offset, count: offsetSize),
        let length = file.number(at: offset + offsetSize, count: lengthSize)
      else { return nil }
      offset += offsetSize + lengthSize
      let lower = source.lowerBound + min(place.base + start, source.count)
      let rest = source.upperBound - lower
      // An extent without a length ends where its source does.
      let part = file.part(lower..<lower + (length == 0 ? rest : min(length, rest)))
      if place.count == 1 { return part }
      bytes += part.slice(at: 0, count: part.count)
    }
    return ByteReader(bytes)
  }
}
