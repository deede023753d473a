// SPDX-License-Identifier: Apache-2.0

/// Bytes as base64 text, with padding.
///
/// **Source:** RFC 4648, section 4.
enum Base64Text {
  private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

  /// The text of `bytes`.
  static func encode(_ bytes: some Collection<UInt8>) -> String {
    var text: [UInt8] = []
    text.reserveCapacity((bytes.count + 2) / 3 * 4)
    var group: UInt32 = 0
    var count = 0
    func flush() {
      for place in 0...count { text.append(alphabet[Int(group >> (18 - 6 * UInt32(place))) & 63]) }
      for _ in count..<3 { text.append(UInt8(ascii: "=")) }
    }
    for byte in bytes {
      group |= UInt32(byte) << (16 - 8 * UInt32(count))
      count += 1
      guard count == 3 else { continue }
      flush()
      (group, count) = (0, 0)
    }
    if count > 0 { flush() }
    return String(decoding: text, as: UTF8.self)
  }
}
