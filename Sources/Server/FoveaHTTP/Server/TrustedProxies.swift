// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore
package import HTTPTypes

/// The proxies that are believed when they name the caller in `X-Forwarded-For`.
package enum TrustedProxies: Sendable, Equatable {
  /// No proxy is in front.
  case none
  /// Every connection is a proxy's, since others do not reach the server.
  case any
  /// Those with one of these addresses.
  case only(Set<String>)

  /// The address that a request comes from.
  /// - Parameters:
  ///   - headers: The request's.
  ///   - peer: The address of the connection.
  /// - Returns: The one that a proxy names; nil where none is trusted, or what it names is no address.
  package func caller(_ headers: HTTPFields, peer: String) -> String? {
    switch self {
    case .none: return nil
    case .any: break
    case .only(let addresses): guard addresses.contains(TrustedProxies.plain(peer)) else { return nil }
    }
    return TrustedProxies.last(headers)
  }

  /// An IPv4 address as such, where a socket for both kinds writes it as one of IPv6.
  private static func plain(_ peer: String) -> String {
    peer.hasPrefix("::ffff:") && peer.contains(".") ? String(peer.dropFirst(7)) : peer
  }

  /// The address that the nearest proxy names: the last one, since a caller may have written those before it.
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
