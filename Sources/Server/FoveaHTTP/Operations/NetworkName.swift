// SPDX-License-Identifier: Apache-2.0
#if Server
/// The name of one caller for counting addresses: an IPv4 address, or the network of an IPv6 address.
///
/// A home or a machine has 2⁶⁴ IPv6 addresses, each of which would otherwise have its own share.
package enum NetworkName {
  /// - Parameter address: An address in the form of ``HTTPContext/peer``; other text is returned unchanged.
  /// - Returns: The address or the network, as text.
  package static func of(_ address: String) -> String {
    guard let bytes = InternetAddress(address)?.bytes, bytes.count == 16 else { return address }
    // IPv4 as written by a dual-stack socket.
    if bytes[..<10].allSatisfy({ $0 == 0 }), bytes[10] == 0xFF, bytes[11] == 0xFF {
      return bytes[12...].map(String.init).joined(separator: ".")
    }
    let groups = stride(from: 0, to: 8, by: 2).map { UInt16(bytes[$0]) << 8 | UInt16(bytes[$0 + 1]) }
    return groups.map { String($0, radix: 16) }.joined(separator: ":") + "/64"
  }
}

extension HTTPContext {
  /// The network that the request comes from; it is treated as one caller.
  package var network: String { NetworkName.of(peer) }
}
#endif
