// SPDX-License-Identifier: Apache-2.0

import Testing

/// The 12 frames of mpeg4.avi, at 10 a second, in an AVI that counts ticks of any length.
///
/// Like FFmpeg when it copies from MP4, it has an empty chunk for each further tick of a frame.
struct TickedAVI {
  /// Ticks per second.
  var rate = 600
  /// The ticks that the last frame is shown for; nil for a tenth of a second, as the others.
  var lastTicks: Int?
  /// The declared number of ticks; nil for the right one.
  var length: UInt32?
  /// The declared size of the file; nil for the right one.
  var size: UInt32?
  var hasIndex = true

  func bytes() throws -> [UInt8] {
    let source = try Clip.bytes("mpeg4.avi")
    let list = try #require(source.firstRange(of: Array("movi".utf8))).upperBound
    var header = Array(source[12..<list - 12])
    var (movie, index) = (Array("movi".utf8), [UInt8]())
    var (at, ticks) = (list, 0)
    for number in 0..<12 {
      let size = Int(source[at + 4]) | Int(source[at + 5]) << 8
      let count = number == 11 ? lastTicks ?? rate / 10 : rate / 10
      for tick in 0..<count {
        let data: [UInt8] = tick == 0 ? Array(source[at + 8..<at + 8 + size]) : []
        index += Self.chunk("00dc", 16, movie.count, data.count)
        movie += Self.chunk("00dc", data.count)
        movie += data
        if data.count % 2 == 1 { movie.append(0) }
      }
      at += 8 + size + size % 2
      ticks += count
    }
    let stream = try #require(header.firstRange(of: Array("vids".utf8))).lowerBound
    header.replaceSubrange(stream + 24..<stream + 28, with: Self.chunk("", rate))
    header.replaceSubrange(stream + 32..<stream + 36, with: Self.chunk("", Int(length ?? UInt32(ticks))))
    var body = Array("AVI ".utf8) + header
    body += Self.chunk("LIST", movie.count)
    body += movie
    if hasIndex { body += Self.chunk("idx1", index.count) + index }
    return Self.chunk("RIFF", Int(size ?? UInt32(body.count))) + body
  }

  /// A name and little-endian numbers of four bytes.
  private static func chunk(_ name: String, _ numbers: Int...) -> [UInt8] {
    Array(name.utf8)
      + numbers.flatMap { number in
        (0..<4).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
      }
  }
}
