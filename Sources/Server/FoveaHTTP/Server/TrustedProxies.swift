// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore
package import HTTPTypes

/// The proxies trusted to report the caller in `X-Forwarded-For`.
package enum TrustedProxies: Sendable, Equatable {
  /// There is no proxy.
  case none
  /// Every connection comes from a proxy, since nothing else can reach the server.
  case any
  /// Proxies with one of these addresses.
  case only(Set<String>)

  /// Returns the address that a request comes from.
  /// - Parameters:
  ///   - headers: The request's headers.
  ///   - peer: The connection's address.
  /// - Returns: The address reported by a proxy; nil if none is trusted, or if it is not an address.
  package func caller(_ headers: HTTPFields, peer: String) -> String? {
    switch self {
    case .none: return nil
    case .any: break
    case .only(let addresses): guard addresses.contains(TrustedProxies.plain(peer)) else { return nil }
    }
    return TrustedProxies.last(headers)
  }

  /// Returns an IPv4 address as such if a dual-stack socket reports it as IPv6.
  private static func plain(_ peer: String) -> String {
    peer.hasPrefix("::ffff:") && peer.contains(".") ? String(peer.dropFirst(7)) : peer
  }

  /// Returns the address reported by the nearest proxy: the last address, since a caller may have forged the
  /// earlier ones.
  private static func last(_ headers: HTTPFields) -> String? {
    let names = headers[values: .xForwardedFor].last?.split(separator: ",", omittingEmptySubsequences: false)
    return names?.last.flatMap { address(String($0).trimmingBlanks) }
  }

  /// Returns the address of `192.0.2.1`, `192.0.2.1:4711`, `2001:db8::7`, `[2001:db8::7]` or
  /// `[2001:db8::7]:4711`, each also in double quotes; nil for other text.
  ///
  /// The port is dropped, since each connection of a caller has a different one.
  private static func address(_ entry: String) -> String? {
    var text = Substring(entry)
    if text.utf8.count >= 2, text.hasPrefix("\""), text.hasSuffix("\"") { text = text.dropFirst().dropLast() }
    if text.hasPrefix("["), let end = text.firstIndex(of: "]") {
      let port = text[text.index(after: end)...]
      text = text[..<end].dropFirst()
      guard text.contains(":"), port.isEmpty || isPort(port) else { return nil }
    } else if let colon = text.firstIndex(of: ":"), text[..<colon].contains(".") {
      // IPv6 has no '.' before its first ':'.
      guard isPort(text[colon...]) else { return nil }
      text = text[..<colon]
    }
    let address = String(text)
    return InternetAddress(address) == nil ? nil : address
  }

  /// Returns whether the text is a colon and one to five digits.
  private static func isPort(_ text: Substring) -> Bool {
    let digits = text.utf8.dropFirst()
    return text.hasPrefix(":") && (1...5).contains(digits.count) && digits.allSatisfy(\.isASCIIDigit)
  }
}
#endif
