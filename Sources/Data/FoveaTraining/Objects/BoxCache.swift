// SPDX-License-Identifier: Apache-2.0

import FoveaCore
import FoveaGeometry

/// Boxes from earlier runs, in one file per detector.
///
/// A record has the size of the image, the number of boxes, and space for the maximum number of boxes.
struct BoxCache: Sendable {
  /// The reason why the cache is not used or not written; nil if it is.
  var note: String? { records.note }
  private let maxObjects: Int
  private let records: RecordCache

  private static let mark = Array("FOVEA-BOXES-1\n".utf8)
  private static let headSize = 12
  private static let boxSize = 4 * 8 + 4
  /// The maximum number of boxes; larger records would be mostly empty.
  private static let mostBoxes = 1_000

  /// Opens the cache of a detector; problems are reported as a note, never as an error.
  /// - Parameters:
  ///   - detector: The SHA-256 of the detector's model, and the settings that affect its boxes.
  ///   - maxObjects: The maximum number of boxes per image.
  ///   - folder: The folder of the file; nil caches nothing.
  init(detector: String, maxObjects: Int, in folder: String?) {
    self.maxObjects = maxObjects
    let room = min(maxObjects, BoxCache.mostBoxes)
    let content = RecordCache.Content(
      name: "boxes", header: BoxCache.mark + LittleBytes.of(UInt64(room), 4),
      size: BoxCache.headSize + room * BoxCache.boxSize)
    guard let folder, maxObjects <= BoxCache.mostBoxes else {
      records = RecordCache(empty: content)
      return
    }
    let key = SHA256.hexadecimal(of: Array("\(detector)|\(maxObjects)".utf8).span).prefix(32)
    records = RecordCache.opened(content, named: key + ".boxes", in: folder)
  }

  /// Returns the stored boxes of an image; nil if there are none.
  func boxes(of digest: PhotoDigest) -> FoundBoxes? {
    guard let record = records.record(of: digest) else { return nil }
    func number(_ place: Int) -> Int { Int(LittleBytes.number(record, place, 4)) }
    let count = number(8)
    guard count <= maxObjects else { return nil }
    return FoundBoxes(
      size: PixelSize(width: number(0), height: number(4)),
      boxes: (0..<count).map { BoxCache.box(record, BoxCache.headSize + $0 * BoxCache.boxSize) })
  }

  private static func box(_ record: [UInt8], _ start: Int) -> FoundBoxes.Box {
    func edge(_ index: Int) -> Double { Double(bitPattern: LittleBytes.number(record, start + 8 * index, 8)) }
    return FoundBoxes.Box(
      box: BoundingBox(minX: edge(0), minY: edge(1), maxX: edge(2), maxY: edge(3)),
      score: Float(bitPattern: UInt32(LittleBytes.number(record, start + 32, 4))))
  }

  /// Stores the boxes of an image, one call at a time; if writing fails, the run continues without them.
  func keep(_ found: FoundBoxes, of digest: PhotoDigest) {
    let room = min(maxObjects, BoxCache.mostBoxes)
    guard found.boxes.count <= room else { return }
    var record: [UInt8] = []
    record.reserveCapacity(BoxCache.headSize + room * BoxCache.boxSize)
    for number in [found.size.width, found.size.height, found.boxes.count] {
      record += LittleBytes.of(UInt64(number), 4)
    }
    for each in found.boxes {
      for edge in [each.box.minX, each.box.minY, each.box.maxX, each.box.maxY] {
        record += LittleBytes.of(edge.bitPattern, 8)
      }
      record += LittleBytes.of(UInt64(each.score.bitPattern), 4)
    }
    record += [UInt8](repeating: 0, count: (room - found.boxes.count) * BoxCache.boxSize)
    records.keep(record, of: digest)
  }
}
