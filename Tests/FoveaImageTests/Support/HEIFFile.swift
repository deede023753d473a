// SPDX-License-Identifier: Apache-2.0

import FoveaGeometry

/// HEIC and AVIF files of few bytes, with sequence headers but without frames.
///
/// **Source:** ISO/IEC 14496-12, ISO/IEC 23008-12; AV1 specification, section 5.5; ITU-T H.265, section 7.3.2.2.
struct HEIFFile {
  struct Item {
    var kind = "av01"
    /// The content of `ispe`; none if nil.
    var declared: PixelSize? = PixelSize(width: 100, height: 100)
    /// The kind and content of the box that configures the decoder.
    var configuration: (kind: String, content: [UInt8])?
    var data: [UInt8] = []
    var isInItemData = false
    var extents = 1
    /// The items, counted from 1, that this one is composed of.
    var parts: [Int] = []
    /// The item, counted from 1, that this one accompanies.
    var companionOf: Int?
  }

  /// The first is the primary one.
  var items: [Item]

  init(_ items: [Item]) { self.items = items }

  static func number(_ value: Int, _ count: Int) -> [UInt8] {
    (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * (count - 1 - $0))) }
  }

  static func box(_ kind: String, _ content: [UInt8]) -> [UInt8] {
    number(content.count + 8, 4) + Array(kind.utf8) + content
  }

  /// Numbers, each with its count of bits, filled up with zeros.
  static func bits(_ fields: [(Int, Int)]) -> [UInt8] {
    var bytes: [UInt8] = []
    var count = 0
    for (value, width) in fields {
      for shift in (0..<width).reversed() {
        if count % 8 == 0 { bytes.append(0) }
        if value >> shift & 1 == 1 { bytes[count / 8] |= 0x80 >> UInt8(count % 8) }
        count += 1
      }
    }
    return bytes
  }

  /// An AV1 sequence header, the short one of still images or a full one.
  static func av1(_ width: Int, _ height: Int, isFull: Bool = false) -> [UInt8] {
    var fields = isFull ? fullStart : stillStart
    fields += [(15, 4), (15, 4), (width - 1, 16), (height - 1, 16), (0, 8)]
    let header = bits(fields)
    return [0x0a, UInt8(header.count)] + header
  }

  /// The start of a sequence header up to the size: profile 0, a still image, the reduced header, level 0.
  private static let stillStart: [(Int, Int)] = [(0, 3), (1, 1), (1, 1), (0, 5)]
  /// The same with a timing model, a decoder model and two operating points.
  private static let fullStart: [(Int, Int)] = [
    (0, 3), (0, 1), (0, 1), (1, 1), (1, 32), (1, 32), (1, 1), (1, 1), (1, 1), (9, 5), (1, 32), (9, 5), (9, 5),
    (1, 1), (1, 5), (0, 12), (8, 5), (1, 1), (1, 1), (3, 10), (3, 10), (0, 1), (1, 1), (5, 4), (0, 12),
    (7, 5), (0, 1), (0, 1),
  ]

  /// An HEVC sequence parameter set; `layers` is the number of sub-layers below the highest.
  static func hevc(_ width: Int, _ height: Int, layers: Int = 0, layerID: Int = 0) -> [UInt8] {
    func exponential(_ value: Int) -> (Int, Int) {
      (value + 1, 2 * (Int.bitWidth - (value + 1).leadingZeroBitCount) - 1)
    }
    var fields: [(Int, Int)] = [(0, 4), (layers, 3), (1, 1), (1, 8), (0, 40), (0, 40), (93, 8)]
    // All sub-layers have a level, and the first has a profile.
    for layer in 0..<layers { fields += [(layer == 0 ? 1 : 0, 1), (1, 1)] }
    if layers > 0 { fields += [(0, 2 * (8 - layers)), (1, 44), (0, 44)] }
    for _ in 0..<layers { fields.append((93, 8)) }
    fields += [exponential(0), exponential(1), exponential(width), exponential(height), (1, 1)]
    var unit: [UInt8] = [0x42 | UInt8(layerID >> 5), UInt8(layerID << 3 & 0xff) | 1]
    var zeros = 0
    for byte in bits(fields) {
      if zeros >= 2, byte <= 3 {
        unit.append(3)
        zeros = 0
      }
      unit.append(byte)
      zeros = byte == 0 ? zeros + 1 : 0
    }
    return unit
  }

  /// The content of `hvcC` with one array of parameter sets.
  static func configuration(_ units: [UInt8]...) -> [UInt8] {
    var content = [UInt8](repeating: 0, count: 21)
    content += [3, 1, 0x21]
    content += number(units.count, 2)
    for unit in units { content += number(unit.count, 2) + unit }
    return content
  }

  /// The data of a grid: its canvas.
  static func grid(_ width: Int, _ height: Int) -> [UInt8] {
    [0, 0, 0, 0] + number(width, 2) + number(height, 2)
  }

  var bytes: [UInt8] {
    var properties: [UInt8] = []
    var propertyCount: UInt8 = 0
    var assignments: [UInt8] = []
    var kinds: [UInt8] = []
    var references: [UInt8] = []
    var places: [UInt8] = []
    var data: [UInt8] = []
    var itemData: [UInt8] = []
    let start = Self.box("ftyp", Array("avif".utf8) + [0, 0, 0, 0])
    for (index, item) in items.enumerated() {
      let id = Self.number(index + 1, 2)
      var indices: [UInt8] = []
      if let size = item.declared {
        properties += Self.box("ispe", Self.number(size.width, 8) + Self.number(size.height, 4))
        propertyCount += 1
        indices.append(propertyCount)
      }
      if let configuration = item.configuration {
        properties += Self.box(configuration.kind, configuration.content)
        propertyCount += 1
        indices.append(propertyCount)
      }
      assignments += id
      assignments += [UInt8(indices.count)] + indices
      let kind = Array(item.kind.utf8) + [0]
      kinds += Self.box("infe", [2, 0, 0, 0] + id + Self.number(0, 2) + kind)
      if !item.parts.isEmpty {
        let parts = item.parts.flatMap { Self.number($0, 2) }
        references += Self.box("dimg", id + Self.number(item.parts.count, 2) + parts)
      }
      if let other = item.companionOf {
        references += Self.box("auxl", id + Self.number(1, 2) + Self.number(other, 2))
      }
      places += id
      places += Self.number(item.isInItemData ? 1 : 0, 2) + Self.number(0, 2)
      places += Self.number(item.extents, 2)
      for extent in 0..<item.extents {
        let lower = item.data.count * extent / item.extents
        let upper = item.data.count * (extent + 1) / item.extents
        // The data of items follows ftyp and the head of its box.
        let offset = item.isInItemData ? itemData.count : start.count + 8 + data.count
        places += Self.number(offset, 4) + Self.number(upper - lower, 4)
        if item.isInItemData {
          itemData += item.data[lower..<upper]
        } else {
          data += item.data[lower..<upper]
        }
      }
    }
    let version = Self.number(0, 4)
    let count = Self.number(items.count, 2)
    let assignmentBox = Self.box("ipma", version + Self.number(items.count, 4) + assignments)
    var meta = version
    meta += Self.box("pitm", version + Self.number(1, 2))
    meta += Self.box("iloc", [1, 0, 0, 0, 0x44, 0] + count + places)
    meta += Self.box("iinf", version + count + kinds)
    meta += Self.box("iref", version + references)
    meta += Self.box("iprp", Self.box("ipco", properties) + assignmentBox)
    meta += Self.box("idat", itemData)
    return start + Self.box("mdat", data) + Self.box("meta", meta)
  }
}
