// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore

/// Base64 with URL-safe letters and without padding, with a single spelling of each value.
///
/// **Source:** RFC 4648, section 5; RFC 7515, section 2.
package enum Base64URL {
  /// Returns bytes as base64url text.
  package static func encode(_ bytes: [UInt8]) -> String {
    var text: [UInt8] = []
    for letter in Base64.encode(bytes).utf8 where letter != 0x3D {
      switch letter {
      case 0x2B: text.append(0x2D)
      case 0x2F: text.append(0x5F)
      default: text.append(letter)
      }
    }
    return String(decoding: text, as: UTF8.self)
  }

  /// Returns the bytes that a string encodes; nil if it is not the canonical encoding of any bytes.
  package static func decode(_ text: some StringProtocol) -> [UInt8]? {
    var letters: [UInt8] = []
    for letter in text.utf8 {
      switch letter {
      case 0x2D: letters.append(0x2B)
      case 0x5F: letters.append(0x2F)
      case 0x2B, 0x2F, 0x3D: return nil
      default: letters.append(letter)
      }
    }
    while letters.count % 4 != 0 { letters.append(0x3D) }
    guard let bytes = Base64.decode(String(decoding: letters, as: UTF8.self)), encode(bytes) == text else {
      return nil
    }
    return bytes
  }
}
#endif
