// SPDX-License-Identifier: Apache-2.0

/// A JPEG whose scans are complete, with the end marker that its file lacks.
///
/// Cameras that lose power, copies that stop at the last block, and careless writers leave files without the
/// end marker, with other bytes in its place, or with extra data after the pixels. If every coefficient of
/// every component has its scan, everything after the last scan is not part of the image. Only the decoder
/// can show whether that scan itself is complete: followed by an end marker, a scan that stops early causes
/// its own warning. Two faults without a warning are found here: zeros that an interrupted copy to
/// preallocated space leaves are valid codes, and a scan that stops early lacks restart markers.
///
/// **Source:** ITU-T T.81, A.2 (units of a scan), annex B (markers) and G.1.2 (scans of a progressive file).
struct JPEGEnding {
  /// The file up to its last scan, without application data except JFIF's and Adobe's, plus an end marker.
  private(set) var bytes: [UInt8] = [0xff, 0xd8]
  /// Whether the coded data contains restart markers.
  private(set) var hasRestarts = false
  /// The number of units between restart markers; 0 if there are none.
  private var interval = 0
  private var size = (width: 0, height: 0)
  /// The number of blocks in a unit in each direction, by component.
  private var sampling: [UInt8: (horizontal: Int, vertical: Int)] = [:]
  private var progress = ScanProgress()

  /// The maximum number of zeros at the end of a scan: its last byte can be zero, and so can the byte after
  /// 0xff.
  private static let mostZeros = 2

  /// Returns nil if a scan or a restart marker is missing, if nothing follows the end marker that must be
  /// removed, if there are more scans than `JPEGDecoding.maximumScans` before another image begins, or for
  /// arithmetic coding, which does not show where its data stops early.
  init?(completing file: [UInt8]) {
    let reader = ByteReader(file)
    var offset = 2
    var scans = 0
    while true {
      guard let (marker, content) = reader.nextJPEGSegment(from: &offset) else { return nil }
      let segment = ByteReader(file, from: content.lowerBound, count: content.count)
      guard take(marker, segment) else { return nil }
      // Of the others, decoding needs only the two that declare the colour space.
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
      if progress.isComplete { break }
    }
    guard !reader.endsImage(at: offset),
      scans + Self.scans(reader, from: offset) <= JPEGDecoding.maximumScans
    else { return nil }
    bytes += [0xff, 0xd9]
  }

  /// Processes a segment; returns false if the file cannot be completed.
  private mutating func take(_ marker: UInt8, _ segment: ByteReader) -> Bool {
    switch marker {
    case 0xc0, 0xc1, 0xc2:
      guard progress.take(frame: segment, marker: marker), let count = segment.byte(at: 5),
        let height = segment.uint16BE(at: 1), let width = segment.uint16BE(at: 3)
      else { return false }
      size = (width, height)
      for index in 0..<Int(count) {
        guard let component = segment.byte(at: 6 + 3 * index), let factors = segment.byte(at: 7 + 3 * index),
          factors >> 4 > 0, factors & 0x0f > 0
        else { return false }
        sampling[component] = (Int(factors >> 4), Int(factors & 0x0f))
      }
      return true
    // Other frame types, arithmetic coding, a number of lines that is declared later.
    case 0xc3, 0xc5...0xc7, 0xc8...0xcb, 0xcc...0xcf, 0xdc, 0xde, 0xdf: return false
    case 0xdd:
      interval = segment.uint16BE(at: 0) ?? 0
      hasRestarts = hasRestarts || interval != 0
      return true
    case 0xda: return progress.take(scan: segment)
    default: return true
    }
  }

  /// Returns the number of restart markers in a scan, by its header: one after each interval but the last.
  private func restartCount(_ segment: ByteReader) -> Int {
    guard interval > 0, let first = segment.byte(at: 1).flatMap({ sampling[$0] }) else { return 0 }
    func parts(_ length: Int, of part: Int) -> Int { (length + part - 1) / part }
    let horizontal = sampling.values.map(\.horizontal).max() ?? 1
    let vertical = sampling.values.map(\.vertical).max() ?? 1
    let units: Int
    if segment.byte(at: 0) == 1 {
      // In a scan of one component each block is a unit, up to the edge of the image.
      units =
        parts(parts(size.width * first.horizontal, of: horizontal), of: 8)
        * parts(parts(size.height * first.vertical, of: vertical), of: 8)
    } else {
      units = parts(size.width, of: 8 * horizontal) * parts(size.height, of: 8 * vertical)
    }
    return max(0, parts(units, of: interval) - 1)
  }

  /// Returns whether coded data contains this many restart markers, numbered from 0 to 7 cyclically.
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

  /// Returns the number of scans that begin before the next image or the end marker.
  private static func scans(_ reader: ByteReader, from start: Int) -> Int {
    var count = 0
    var offset = start
    while let marker = reader.uint16BE(at: offset), marker != 0xffd8, marker != 0xffd9 {
      if marker == 0xffda { count += 1 }
      offset += 1
    }
    return count
  }

  /// Returns the offset of the first marker other than a restart, or the end of the file.
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
  /// Advances to the end of the next segment with a length in a JPEG.
  /// - Parameter offset: The offset to search from; after the call, the end of the segment.
  /// - Returns: The segment's marker and its bytes without marker and length; nil at the end marker and for a
  ///   truncated segment.
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

  /// Returns whether JPEG's end marker is at `offset`.
  fileprivate func endsImage(at offset: Int) -> Bool { uint16BE(at: offset) == 0xffd9 }
}
