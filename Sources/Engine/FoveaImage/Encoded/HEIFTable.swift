// SPDX-License-Identifier: Apache-2.0

import FoveaGeometry

/// The items of a `meta` box: their sizes, and the items that they refer to.
///
/// libheif uses the first box of each kind.
///
/// **Source:** ISO/IEC 14496-12, sections 8.11.3 (`iloc`), 8.11.4 (`pitm`), 8.11.6 (`iinf`), 8.11.11 (`idat`)
/// and 8.11.12 (`iref`); ISO/IEC 23008-12, sections 6.4 (references), 6.5.3 (`ispe`), 6.6.2 (`grid`, `iovl`)
/// and 9.3 (`iprp`).
struct HEIFTable {
  /// The item that decoding returns.
  private(set) var primary: Int?
  /// The parts of composed items, such as the tiles of a grid; a part may be repeated.
  private(set) var parts: [Int: [Int]] = [:]
  /// The companions of items, such as their transparency.
  private(set) var companions: [Int: [Int]] = [:]
  /// The number of entries in `parts` and `companions`, counted until it exceeds `mostReferences`.
  private(set) var referenceCount = 0

  private var properties: [(kind: Int, content: Range<Int>)] = []
  /// The indices of properties by item, from 0, without those that have no size.
  private var assignments: [Int: Set<Int>] = [:]
  /// The sizes in `hvcC` and `av1C`, by their indices in `properties`.
  private var configurations: [Int: CodedSize] = [:]
  private var kinds: [Int: Int] = [:]
  private let file: ISOBoxes
  private var places: HEIFPlaces

  /// The largest photos of phones have 768 tiles.
  static let mostReferences = 1 << 16
  /// libheif reads one box that assigns properties; two are usual at most, for small and for large numbers.
  private static let mostAssignmentBoxes = 16

  /// Reads the content of a `meta` box.
  init(_ file: ISOBoxes, meta: Range<Int>) {
    self.file = file
    places = HEIFPlaces(file)
    var seen: Set<Int> = []
    for (kind, content) in file.boxes(in: file.behindVersion(meta)) where seen.insert(kind).inserted {
      switch kind {
      case ISOBoxKind.pitm: primary = file.number(at: content.lowerBound + 4, count: idSize(content))
      case ISOBoxKind.iloc: places.addItems(content)
      case ISOBoxKind.idat: places.data = content
      case ISOBoxKind.iinf: addKinds(content)
      case ISOBoxKind.iref: addReferences(content)
      case ISOBoxKind.iprp: addProperties(content)
      default: break
      }
    }
  }

  /// Returns the number of bytes of an item's number: version 0 of a box has short numbers.
  private func idSize(_ box: Range<Int>) -> Int { file.reader.byte(at: box.lowerBound) == 0 ? 2 : 4 }

  private mutating func addKinds(_ box: Range<Int>) {
    for (kind, content) in file.boxes(in: file.behindVersion(box, file.itemCountSize(box)))
    where kind == ISOBoxKind.infe {
      guard let version = file.reader.byte(at: content.lowerBound), version >= 2 else { continue }
      let size = version == 2 ? 2 : 4
      let start = content.lowerBound + 4
      // The item, its protection, and its kind.
      guard let item = file.number(at: start, count: size),
        let itemKind = file.reader.uint32BE(at: start + size + 2)
      else { continue }
      if kinds[item] == nil { kinds[item] = itemKind }
    }
  }

  private mutating func addReferences(_ box: Range<Int>) {
    let size = idSize(box)
    for (kind, content) in file.boxes(in: file.behindVersion(box))
    where kind == ISOBoxKind.dimg || kind == ISOBoxKind.auxl {
      var offset = content.lowerBound + size
      guard let item = file.number(at: content.lowerBound, count: size),
        let count = file.reader.uint16BE(at: offset)
      else { continue }
      offset += 2
      for _ in 0..<count {
        guard offset < content.upperBound, let other = file.number(at: offset, count: size) else { break }
        offset += size
        referenceCount += 1
        guard referenceCount <= Self.mostReferences else { return }
        if kind == ISOBoxKind.dimg {
          parts[item, default: []].append(other)
        } else {
          companions[other, default: []].append(item)
        }
      }
    }
  }

  private mutating func addProperties(_ box: Range<Int>) {
    let boxes = file.boxes(in: box)
    guard let list = boxes.first(where: { $0.kind == ISOBoxKind.ipco }) else { return }
    properties = file.boxes(in: list.content)
    for (_, content) in boxes.filter({ $0.kind == ISOBoxKind.ipma }).prefix(Self.mostAssignmentBoxes) {
      addAssignments(content)
    }
    for (index, property) in properties.enumerated() {
      let content = property.content
      var coded = CodedSize()
      switch property.kind {
      case ISOBoxKind.av1C:
        coded.addAV1(file.part(min(content.lowerBound + 4, content.upperBound)..<content.upperBound))
      case ISOBoxKind.hvcC: coded.addHEVCConfiguration(file.part(content))
      default: continue
      }
      configurations[index] = coded
    }
  }

  private mutating func addAssignments(_ box: Range<Int>) {
    let size = idSize(box)
    // The lowest flag doubles the width of an index; the highest bit of an index means "essential".
    let width = (file.reader.byte(at: box.lowerBound + 3) ?? 0) & 1 == 0 ? 1 : 2
    var offset = box.lowerBound + 8
    for _ in 0..<(file.number(at: box.lowerBound + 4, count: 4) ?? 0) {
      guard offset < box.upperBound, let item = file.number(at: offset, count: size),
        let count = file.reader.byte(at: offset + size)
      else { return }
      offset += size + 1
      for _ in 0..<count {
        guard let value = file.number(at: offset, count: width) else { return }
        offset += width
        let index = (value & (width == 1 ? 0x7f : 0x7fff)) - 1
        guard properties.indices.contains(index) else { continue }
        let kind = properties[index].kind
        guard kind == ISOBoxKind.ispe || kind == ISOBoxKind.hvcC || kind == ISOBoxKind.av1C else { continue }
        assignments[item, default: []].insert(index)
      }
    }
  }

  /// Returns the size that the file declares for an item, the smallest if it declares several.
  func declaredSize(of item: Int) -> PixelSize? {
    (assignments[item] ?? []).map { properties[$0] }.filter { $0.kind == ISOBoxKind.ispe }
      .compactMap { Self.size(in: file, at: $0.content.lowerBound + 4, bytes: 4) }.min { $0.area < $1.area }
  }

  /// Returns the size of an item's frames, or of the canvas of a composed item; nil if it is not known.
  func codedSize(of item: Int) -> PixelSize? {
    if let kind = kinds[item], kind == ISOBoxKind.grid || kind == ISOBoxKind.iovl {
      return canvasSize(of: item, kind)
    }
    var coded = CodedSize()
    var codecs: Set<Int> = []
    for index in assignments[item] ?? [] {
      guard let configured = configurations[index] else { continue }
      coded.add(configured)
      codecs.insert(properties[index].kind)
    }
    guard !codecs.isEmpty, let content = places.content(of: item) else { return coded.size }
    if codecs.contains(ISOBoxKind.av1C) { coded.addAV1(content) }
    if codecs.contains(ISOBoxKind.hvcC) { coded.addHEVC(content) }
    return coded.size
  }

  private func canvasSize(of item: Int, _ kind: Int) -> PixelSize? {
    guard let content = places.content(of: item), let flags = content.byte(at: 1) else { return nil }
    // After version and flags: the numbers of rows and columns, or the background's colour.
    let offset = kind == ISOBoxKind.grid ? 4 : 10
    let canvas = ISOBoxes([UInt8](content.slice(at: 0, count: 32)))
    return Self.size(in: canvas, at: offset, bytes: flags & 1 == 0 ? 2 : 4)
  }

  private static func size(in file: ISOBoxes, at offset: Int, bytes: Int) -> PixelSize? {
    guard let width = file.number(at: offset, count: bytes),
      let height = file.number(at: offset + bytes, count: bytes)
    else { return nil }
    return PixelSize(width: width, height: height)
  }
}
