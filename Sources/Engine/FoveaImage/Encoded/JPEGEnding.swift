// SPDX-License-Identifier: Apache-2.0

/// A JPEG whose scans are complete, brought to the end that its file lacks.
///
/// Cameras that lose power, copies that break off at the last block and careless writers leave files without
/// the end marker, with other bytes in its place, or with anything behind the pixels. Where every coefficient
/// of every component has its scan, what follows the last of them is no part of the image. Whether that scan
/// is complete itself, only the decoder can say: with an end marker behind it, a scan that stops early is a
/// warning of its own. Two things it does not warn of are found here: zeros, which a file has where a copy to
/// reserved space broke off, are codes like any other, and the restart markers of a scan that stops early are
/// missing.
///
/// **Source:** ITU-T T.81, A.2 (what a scan has in units), annex B (markers) and G.1.2 (what the scans of a
/// progressive file hold).
struct JPEGEnding {
  /// The file up to the end of its last scan, without application data but JFIF's and Adobe's, and an end
  /// marker.
  private(set) var bytes: [UInt8] = [0xff, 0xd8]
  /// Whether coded data has restart markers in it.
  private(set) var hasRestarts = false
  /// How many units lie between restart markers; 0 where there are none.
  private var interval = 0
  private var size = (width: 0, height: 0)
  /// By component: how many blocks it has in a unit, each way.
  private var sampling: [UInt8: (horizontal: Int, vertical: Int)] = [:]
  /// By component: the coefficients that no scan has brought to their last bit, the least significant one
  /// first.
  private var missing: [UInt8: UInt64] = [:]
  private var isProgressive = false

  /// How many zeros may end a scan: the last byte of its codes, and the one behind a byte 0xff, can be one.
  private static let mostZeros = 2

  /// Nil where a scan or a restart marker is missing, where nothing follows its end marker that is to be left
  /// out, where there are more scans than `JPEGDecoding.maximumScans` before another image begins, and for
  /// arithmetic coding, which does not show where its data stops early.
  init?(completing file: [UInt8]) {
    let reader = ByteReader(file)
    var offset = 2
    var scans = 0
    while true {
      guard let (marker, content) = reader.nextJPEGSegment(from: &offset) else { return nil }
      let segment = ByteReader(file, from: content.lowerBound, count: content.count)
      guard take(marker, segment) else { return nil }
      // Of the others, decoding needs only the two that name the colour space.
      if !(0xe1...0xed).contains(marker), marker != 0xef, marker != 0xfe {
        bytes += [0xff, marker] + file[content.lowerBound - 2..<content.upperBound]
      }
      guard marker == 0xda else { continue }
      scans += 1
      let end = Self.endOfCodedData(reader, from: offset)
      guard Self.hasRestarts(reader, offset..<end, count: restartCount(segment)) else { return nil }
      let zeros = file[offset..<end].reversed().prefix { $0 == 0 }.count
      bytes += file[offset..<end - max(0, zeros - Self.mostZeros)]
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
      guard missing.isEmpty, let count = segment.byte(at: 5), let height = segment.uint16BE(at: 1),
        let width = segment.uint16BE(at: 3)
      else { return false }
      size = (width, height)
      isProgressive = marker == 0xc2
      for index in 0..<Int(count) {
        guard let component = segment.byte(at: 6 + 3 * index), let factors = segment.byte(at: 7 + 3 * index),
          factors >> 4 > 0, factors & 0x0f > 0
        else { return false }
        sampling[component] = (Int(factors >> 4), Int(factors & 0x0f))
        missing[component] = .max
      }
      return count > 0
    // Other frames, arithmetic coding, a number of lines that is told later.
    case 0xc3, 0xc5...0xc7, 0xc8...0xcb, 0xcc...0xcf, 0xdc, 0xde, 0xdf: return false
    case 0xdd:
      interval = segment.uint16BE(at: 0) ?? 0
      hasRestarts = hasRestarts || interval != 0
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

  /// How many restart markers a scan has, as its header has it: one after each interval but the last.
  private func restartCount(_ segment: ByteReader) -> Int {
    guard interval > 0, let first = segment.byte(at: 1).flatMap({ sampling[$0] }) else { return 0 }
    func parts(_ length: Int, of part: Int) -> Int { (length + part - 1) / part }
    let horizontal = sampling.values.map(\.horizontal).max() ?? 1
    let vertical = sampling.values.map(\.vertical).max() ?? 1
    let units: Int
    if segment.byte(at: 0) == 1 {
      // Of one component each block is a unit, as far as the image goes.
      units =
        parts(parts(size.width * first.horizontal, of: horizontal), of: 8)
        * parts(parts(size.height * first.vertical, of: vertical), of: 8)
    } else {
      units = parts(size.width, of: 8 * horizontal) * parts(size.height, of: 8 * vertical)
    }
    return max(0, parts(units, of: interval) - 1)
  }

  /// Whether so many restart markers are in coded data, numbered from 0 to 7 and again from 0.
  private static func hasRestarts(_ reader: ByteReader, _ data: Range<Int>, count: Int) -> Bool {
    var found = 0
    var offset = data.lowerBound
    while found < count, offset < data.upperBound {
      let isMarker = reader.byte(at: offset) == 0xff
      offset += 1
      guard isMarker, let marker = reader.byte(at: offset), (0xd0...0xd7).contains(marker) else { continue }
      guard Int(marker) == 0xd0 + found % 8 else { return false }
      found += 1
    }
    return found == count
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
  static func endOfCodedData(_ reader: ByteReader, from start: Int) -> Int {
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
  /// Goes to the end of the next segment of a JPEG that has a length.
  /// - Parameter offset: Where to look from; behind the segment afterwards.
  /// - Returns: The segment's marker and its bytes without marker and length; nil at the end marker and for a
  ///   segment that the file does not have whole.
  func nextJPEGSegment(from offset: inout Int) -> (marker: UInt8, content: Range<Int>)? {
    while true {
      while let byte = byte(at: offset), byte != 0xff { offset += 1 }
      while byte(at: offset) == 0xff { offset += 1 }
      guard let marker = byte(at: offset) else { return nil }
      offset += 1
      if marker <= 0x01 || (0xd0...0xd8).contains(marker) { continue }
      guard marker != 0xd9, let length = uint16BE(at: offset), length >= 2, offset + length <= count
      else { return nil }
      let content = offset + 2..<offset + length
      offset += length
      return (marker, content)
    }
  }

  /// Whether JPEG's end marker is at `offset`.
  fileprivate func endsImage(at offset: Int) -> Bool { uint16BE(at: offset) == 0xffd9 }
}
