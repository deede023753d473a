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

  /// Returns the address reported by the nearest proxy: the last one, since a caller may have written the
  /// earlier ones.
  private static func last(_ headers: HTTPFields) -> String? {
    let names = headers[values: .xForwardedFor].last?.split(separator: ",", omittingEmptySubsequences: false)
    guard let name = names?.last.map({ String($0).trimmingBlanks }), (2...45).contains(name.utf8.count)
    else { return nil }
    let isAddress = name.utf8.allSatisfy { byte in
      (0x30...0x3A).contains(byte) || (0x41...0x46).contains(byte) || (0x61...0x66).contains(byte)
        || byte == 0x2E
    }
    return isAddress ? name : nil
  }
}
#endif
