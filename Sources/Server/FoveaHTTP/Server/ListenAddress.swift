// SPDX-License-Identifier: Apache-2.0
#if Server
/// A server's address, a name or number and a port: `127.0.0.1:8080`, `[::1]:8080`; port 0 picks a free one.
package struct ListenAddress: Sendable, Hashable, CustomStringConvertible {
  package let host: String
  package let port: Int

  package init(host: String, port: Int) {
    self.host = host
    self.port = port
  }

  /// Reads an address; nil for an invalid text.
  package init?(_ text: String) {
    guard let colon = text.lastIndex(of: ":"),
      let port = UInt16(text[text.index(after: colon)...]),
      text[text.index(after: colon)...].allSatisfy({ $0.isASCII && $0.isNumber })
    else { return nil }
    var host = text[..<colon]
    let isVersion6 = host.hasPrefix("[") && host.hasSuffix("]")
    if isVersion6 {
      host = host.dropFirst().dropLast()
      // Without its zone, such as %eth0.
      let number = String(host.prefix { $0 != "%" })
      guard number.contains(":"), InternetAddress(number) != nil else { return nil }
    }
    let marks = isVersion6 ? "-._:%" : "-._"
    guard !host.isEmpty, host.allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber) || marks.contains($0) })
    else {
      return nil
    }
    self.host = String(host)
    self.port = Int(port)
  }

  /// Reads the address of another server, whose port may be missing; nil for an invalid text, and for port 0.
  package init?(remote text: String, usualPort: Int) {
    guard let address = ListenAddress(text) ?? ListenAddress("\(text):\(usualPort)"), address.port > 0 else {
      return nil
    }
    self = address
  }

  /// Whether only this machine can connect.
  package var isLoopback: Bool { host == "localhost" || host == "::1" || host.hasPrefix("127.") }

  package var description: String { "\(host.contains(":") ? "[\(host)]" : host):\(port)" }
}
#endif
