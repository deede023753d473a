// SPDX-License-Identifier: Apache-2.0

/// The base64 encoding of bytes.
///
/// **Source:** RFC 4648, section 4.
package enum Base64 {
  private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

  /// Returns the bytes of a base64 text; nil if it is invalid.
  package static func decode(_ text: some StringProtocol) -> [UInt8]? {
    let digits = Array(text.utf8)
    let count = digits.count - digits.reversed().prefix(2).prefix { $0 == 0x3D }.count
    guard digits.count % 4 == 0, count % 4 != 1 else { return nil }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(count)
    var group: UInt32 = 0
    for index in 0..<count {
      guard let value = alphabet.firstIndex(of: digits[index]) else { return nil }
      group = group << 6 | UInt32(value)
      if index % 4 > 0 { bytes.append(UInt8(truncatingIfNeeded: group >> UInt32(6 - 2 * (index % 4)))) }
    }
    return bytes
  }

  /// Returns four letters for each three bytes, padded with "=".
  package static func encode(_ bytes: [UInt8]) -> String {
    var text: [UInt8] = []
    text.reserveCapacity((bytes.count + 2) / 3 * 4)
    var index = 0
    while index < bytes.count {
      let second = index + 1 < bytes.count ? bytes[index + 1] : 0
      let third = index + 2 < bytes.count ? bytes[index + 2] : 0
      let group = UInt32(bytes[index]) << 16 | UInt32(second) << 8 | UInt32(third)
      text.append(alphabet[Int(group >> 18)])
      text.append(alphabet[Int(group >> 12 & 63)])
      text.append(index + 1 < bytes.count ? alphabet[Int(group >> 6 & 63)] : 0x3D)
      text.append(index + 2 < bytes.count ? alphabet[Int(group & 63)] : 0x3D)
      index += 3
    }
    return String(decoding: text, as: UTF8.self)
  }
}
