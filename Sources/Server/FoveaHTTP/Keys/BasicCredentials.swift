// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore

/// User and password of HTTP's Basic scheme (RFC 7617).
package enum BasicCredentials {
  /// The password, nil where the text is not base64 of `user:password` in UTF-8.
  package static func password(_ text: String) -> String? {
    guard let bytes = Base64.decode(text), let colon = bytes.firstIndex(of: UInt8(ascii: ":")) else {
      return nil
    }
    return String(validating: bytes[(colon + 1)...], as: UTF8.self)
  }
}
#endif
