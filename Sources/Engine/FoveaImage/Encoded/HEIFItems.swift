// SPDX-License-Identifier: Apache-2.0

/// The number of items in a HEIC or AVIF file, and their total number of bytes, as declared by the file.
///
/// libheif reads all items when it opens a file, metadata and images alike, and compares each with all
/// others. In an intact file each byte belongs to one item, or to a few that share it; a thousand items that
/// cover the whole file would take a thousand times its size, and 15,000 empty items half a minute.
///
/// **Source:** ISO/IEC 14496-12, sections 8.11.1 (`meta`) and 8.11.3 (`iloc`).
struct HEIFItems {
  /// The total number of bytes, counted until it exceeds `limit`.
  private(set) var byteCount = 0
  /// The largest number of items, of references between them, or of properties.
  private(set) var count = 0
  private let file: ISOBoxes
  /// The maximum number of bytes of all items together.
  private let limit: Int

  /// All items may have this many times the bytes of their file, and `freeBytes` in any case.
  private static let largestShare = 8
  private static let freeBytes = 16 << 20
  /// The largest photos of phones, 200 megapixels, have 768 tiles, each of which is an item.
  private static let mostItems = 2000

  /// Throws if a file has more items than any photo, or its items have many times its bytes.
  static func check(_ bytes: [UInt8], _ format: ImageFormat, name: String) throws(ImageError) {
    let items = HEIFItems(bytes)
    guard items.count <= mostItems else {
      throw ImageError(
        .tooLarge,
        "the \(format) has \(items.count) items, references or properties, \(mostItems) are allowed",
        remedy: "Open it in an image editor and save it again", subject: name)
    }
    guard items.byteCount > items.limit else { return }
    throw ImageError(
      .tooLarge,
      "the items of the \(format) have more than \(items.limit) bytes, and the file has \(bytes.count)",
      remedy: "Open it in an image editor and save it again", subject: name)
  }

  private init(_ bytes: [UInt8]) {
    file = ISOBoxes(bytes)
    limit = max(Self.freeBytes, Self.largestShare * bytes.count)
    for (kind, content) in file.outermost where kind == ISOBoxKind.meta {
      // The box begins with a version and flags.
      for (kind, content) in file.boxes(in: file.behindVersion(content)) {
        switch kind {
        case ISOBoxKind.iloc: addExtents(content)
        // iinf, iref: one box each; iprp: one box with all properties, and boxes that assign them to items.
        case ISOBoxKind.iinf:
          take(file.boxes(in: file.behindVersion(content, file.itemCountSize(content))).count)
        case ISOBoxKind.iref: take(file.boxes(in: file.behindVersion(content)).count)
        case ISOBoxKind.iprp:
          for (kind, content) in file.boxes(in: content) {
            if kind == ISOBoxKind.ipco { take(file.boxes(in: content).count) }
            if kind == ISOBoxKind.ipma { take(file.number(at: content.lowerBound + 4, count: 4) ?? 0) }
          }
        default: break
        }
      }
    }
  }

  private mutating func take(_ count: Int) { self.count = max(self.count, count) }

  /// Adds the lengths of the extents, up to the first that exceeds the limit.
  ///
  /// Each adds at least one byte, so the loop ends for extents without offset and length as well, which take
  /// no bytes in the file.
  private mutating func addExtents(_ box: Range<Int>) {
    guard let version = file.reader.byte(at: box.lowerBound),
      let sizes = file.reader.uint16BE(at: box.lowerBound + 4)
    else { return }
    let (offsetSize, lengthSize, baseSize) = (sizes >> 12, sizes >> 8 & 15, sizes >> 4 & 15)
    let indexSize = version == 0 ? 0 : sizes & 15
    let idSize = version < 2 ? 2 : 4
    var offset = box.lowerBound + 6 + idSize
    guard let count = file.number(at: offset - idSize, count: idSize) else { return }
    take(count)
    guard count <= Self.mostItems, byteCount <= limit else { return }
    for _ in 0..<count {
      // Item, construction method, data reference, and base offset.
      offset += idSize + (version == 0 ? 0 : 2) + 2 + baseSize
      guard offset < box.upperBound, let extents = file.reader.uint16BE(at: offset) else { return }
      offset += 2
      for _ in 0..<extents {
        offset += indexSize + offsetSize
        guard offset <= box.upperBound, let length = file.number(at: offset, count: lengthSize) else {
          return
        }
        // An extent without a length covers the whole file.
        byteCount += min(length == 0 ? file.reader.count : length, file.reader.count)
        guard byteCount <= limit else { return }
        offset += lengthSize
      }
    }
  }
}
