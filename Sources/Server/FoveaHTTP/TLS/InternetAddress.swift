// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore

/// An IPv4 or IPv6 address.
package struct InternetAddress: Hashable, Sendable {
  /// Four or sixteen bytes, in network byte order.
  package let bytes: [UInt8]

  /// Reads `192.168.1.7` or `fd00::7`; nil for anything else, including names.
  package init?(_ text: String) {
    let isVersion6 = text.contains(":")
    var bytes = [UInt8](repeating: 0, count: isVersion6 ? 16 : 4)
    // SAFETY: the system writes exactly the bytes of an address of the family.
    guard unsafe inet_pton(isVersion6 ? AF_INET6 : AF_INET, text, &bytes) == 1 else { return nil }
    self.bytes = bytes
  }

  /// Whether it is an IPv4 address.
  package var isVersion4: Bool { bytes.count == 4 }

  /// Whether it means every address of the machine: `0.0.0.0` or `::`.
  package var isAny: Bool { bytes.allSatisfy { $0 == 0 } }

  /// Whether only this machine can reach it.
  package var isLoopback: Bool {
    isVersion4 ? bytes[0] == 127 : bytes.last == 1 && bytes.dropLast().allSatisfy { $0 == 0 }
  }

  /// Whether it works only on one link, which a browser cannot specify.
  package var isLinkLocal: Bool {
    isVersion4 ? bytes[0] == 169 && bytes[1] == 254 : bytes[0] == 0xFE && bytes[1] & 0xC0 == 0x80
  }
}
#endif
