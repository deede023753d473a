// SPDX-License-Identifier: Apache-2.0

/// The source of class numbers, in a text chunk of their PNG.
///
/// **Source:** W3C, Portable Network Graphics (third edition), sections 5.3, 5.5 and 11.3.3.2, and annex D
/// for the checksum.
extension ClassImage {
  /// The type of the chunk, and the keyword with its end.
  private static let start = Array("tEXtSource\0".utf8)
  /// The place after the signature and the header's chunk, whose lengths are fixed.
  private static let place = 33
  /// The maximum length of a source in bytes.
  private static let longest = 200

  /// Returns a PNG of ``png(_:size:)`` that names its source.
  /// - Parameters:
  ///   - source: Up to 200 printable characters of ASCII.
  ///   - png: The PNG.
  /// - Returns: The PNG with the source.
  /// - Precondition: The source is short enough.
  package static func naming(_ source: String, in png: [UInt8]) -> [UInt8] {
    let text = Array(source.utf8)
    precondition(text.count <= longest, "\(text.count) bytes")
    let chunk = start + text
    var named = Array(png[..<place])
    named += bigEndian(UInt32(chunk.count - 4))
    named += chunk
    named += bigEndian(checksum(chunk))
    named += png[place...]
    return named
  }

  /// Returns the source that a PNG names as ``naming(_:in:)`` writes it; nil if it names none.
  package static func source(in image: EncodedImage) -> String? {
    let bytes = image.bytes
    guard hasPalette(image), bytes.count > place + 8 else { return nil }
    let length = bytes[place..<place + 4].reduce(0) { $0 << 8 | Int($1) }
    let chunk = bytes[(place + 4)...].prefix(4 + length)
    guard length <= longest + start.count, chunk.count == 4 + length, chunk.starts(with: start) else {
      return nil
    }
    return String(decoding: chunk.dropFirst(start.count), as: UTF8.self)
  }

  private static func bigEndian(_ value: UInt32) -> [UInt8] {
    [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) }
  }

  private static func checksum(_ bytes: [UInt8]) -> UInt32 {
    var sum = UInt32.max
    for byte in bytes {
      sum ^= UInt32(byte)
      for _ in 0..<8 { sum = sum & 1 == 0 ? sum >> 1 : sum >> 1 ^ 0xEDB8_8320 }
    }
    return ~sum
  }
}
