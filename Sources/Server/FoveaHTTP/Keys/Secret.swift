// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore

/// Unpredictable bytes, and comparisons whose time depends on nothing secret.
package enum Secret {
  /// Returns bytes from the system's random generator.
  package static func bytes(_ count: Int) -> [UInt8] {
    var generator = SystemRandomNumberGenerator()
    return (0..<count).map { _ in UInt8.random(in: 0...255, using: &generator) }
  }

  /// Returns whether two strings are equal; the time depends only on their lengths.
  package static func isEqual(_ first: [UInt8], _ second: [UInt8]) -> Bool {
    guard first.count == second.count else { return false }
    var difference: UInt8 = 0
    for index in first.indices { difference |= first[index] ^ second[index] }
    return difference == 0
  }
}

/// User and password of HTTP's Basic scheme (RFC 7617).
package enum BasicCredentials {
  /// Returns the password; nil if the text is not base64 of `user:password` in UTF-8.
  package static func password(_ text: String) -> String? {
    guard let bytes = Base64.decode(text), let colon = bytes.firstIndex(of: UInt8(ascii: ":")) else {
      return nil
    }
    return String(validating: bytes[(colon + 1)...], as: UTF8.self)
  }
}
#endif
