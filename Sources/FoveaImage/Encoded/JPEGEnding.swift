// SPDX-License-Identifier: Apache-2.0

/// A JPEG whose scans are complete, brought to the end that its file lacks.
///
/// Cameras that lose power, copies that break off at the last block and careless writers leave files without the end marker,
/// with other bytes in its place, or with anything behind the pixels. Where every coefficient of every component has its scan,
/// what follows the last of them is no part of the image. Whether that scan is complete itself, only the decoder can
/// say: with an end marker behind it, a scan that stops early is a warning of its own.
///
/// **Source:** ITU-T T.81, annex B (markers) and G.1.2 (what the scans of a progressive file hold).
struct JPEGEnding {
  /// The file up to the end of its last scan, without application data but JFIF's and Adobe's, and an end marker.
  private(set) var bytes: [UInt8] = [0xff, 0xd8]
  /// Whether coded data has restart markers in it.
  private(set) var hasRestarts = false
  /// By component: the coefficients that no scan has brought to their last bit, the least significant one first.
  private var missing: [UInt8: UInt64] = [:]
  private var isProgressive = false

  /// Nil where a scan is missing, where nothing follows its end marker that is to be left out, where there are more scans
  /// than `JPEGDecoding.maximumScans` before another image begins, and for arithmetic coding, which does not show where its
  /// data stops early.
  init?(completing file: [UInt8]) {
    let reader = ByteReader(file)
    var offset = 2
    var scans = 0
    while true {
      while let byte = reader.byte(at: offset), byte != 0xff { offset += 1 }
      while reader.byte(at: offset) == 0xff { offset += 1 }
      guard let marker = reader.byte(at: offset) else { return nil }
      offset += 1
      if marker <= 0x01 || (0xd0...0xd8).contains(marker) { continue }
      guard marker != 0xd9, let length = reader.uint16BE(at: offset), length >= 2,
        offset + length <= file.count
      else { return nil }
      let segment = ByteReader(file, from: offset + 2, count: length - 2)
      guard take(marker, segment) else { return nil }
      // Of the others, decoding needs only the two that name the colour space.
      if !(0xe1...0xed).contains(marker), marker != 0xef, marker != 0xfe {
        bytes += [0xff, marker] + file[offset..<offset + length]
      }
      offset += length
      guard marker == 0xda else { continue }
      scans += 1
      let end = Self.endOfCodedData(reader, from: offset)
      bytes += file[offset..<end]
      offset = end
      if missing.values.allSatisfy({ $0 == 0 }) { break }
    }
    guard !reader.endsImage(at: offset),
      scans + Self.scans(reader, from: offset) <= JPEGDecoding.maximumScans
    else { return nil }
    bytes += [0xff, 0xd9]
  }

  /// Takes a segment in; false where the file cannot be completed.
  private mutating func take(_ marker: UInt8, _ segment: ByteReader) -> Bool {
    switch marker {
    case 0xc0, 0xc1, 0xc2:
      guard missing.isEmpty, let count = segment.byte(at: 5) else { return false }
      isProgressive = marker == 0xc2
      for index in 0..<Int(count) {
        guard let component = segment.byte(at: 6 + 3 * index) else { return false }
        missing[component] = .max
      }
      return count > 0
    // Other frames, arithmetic coding, a number of lines that is told later.
    case 0xc3, 0xc5...0xc7, 0xc8...0xcb, 0xcc...0xcf, 0xdc, 0xde, 0xdf: return false
    case 0xdd:
      hasRestarts = hasRestarts || segment.uint16BE(at: 0) != 0
      return true
    case 0xda: return takeScan(segment)
    default: return true
    }
  }

  private mutating func takeScan(_ segment: ByteReader) -> Bool {
    guard !missing.isEmpty, let count = segment.byte(at: 0),
      let first = segment.byte(at: 1 + 2 * Int(count)), let last = segment.byte(at: 2 + 2 * Int(count)),
      let bits = segment.byte(at: 3 + 2 * Int(count))
    else { return false }
    var done = UInt64.max
    if isProgressive {
      guard first <= last, last < 64 else { return false }
      done = (UInt64.max << first) & (UInt64.max >> (63 - last))
      // The lower half is the position of the last bit that this scan brings.
      if bits & 0x0f != 0 { done = 0 }
    }
    for index in 0..<Int(count) {
      guard let component = segment.byte(at: 1 + 2 * index), let left = missing[component] else {
        return false
      }
      missing[component] = left & ~done
    }
    return true
  }

  /// How many scans begin before the next image, or the end marker.
  private static func scans(_ reader: ByteReader, from start: Int) -> Int {
    var count = 0
    var offset = start
    while let marker = reader.uint16BE(at: offset), marker != 0xffd8, marker != 0xffd9 {
      if marker == 0xffda { count += 1 }
      offset += 1
    }
    return count
  }

  /// Where a marker other than a restart follows the coded data, or the file ends.
  private static func endOfCodedData(_ reader: ByteReader, from start: Int) -> Int {
    var offset = start
    while let byte = reader.byte(at: offset) {
      guard byte == 0xff else {
        offset += 1
        continue
      }
      var next = offset + 1
      while reader.byte(at: next) == 0xff { next += 1 }
      guard let marker = reader.byte(at: next), marker == 0 || (0xd0...0xd7).contains(marker) else {
        return offset
      }
      offset = next + 1
    }
    return reader.count
  }
}

extension ByteReader {
  /// Whether JPEG's end marker is at `offset`.
  fileprivate func endsImage(at offset: Int) -> Bool { uint16BE(at: offset) == 0xffd9 }
}
