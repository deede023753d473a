// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore
import NIOCore

/// The names and addresses under which clients reach this machine.
package struct MachineNames: Sendable, Equatable {
  /// Names in lower case, each once, in alphabetical order.
  package private(set) var names: [String] = []
  /// Addresses as text, each once: those of loopback first, then those of the interfaces.
  package private(set) var addresses: [String] = []

  /// What a person calls the machine: its own name, else `localhost`.
  var machine: String { names.first { $0 != "localhost" && !$0.contains(".") } ?? "localhost" }

  /// Sorts what is given into names and addresses; what cannot stand in a certificate is left out.
  /// - Parameters:
  ///   - hostName: The machine's name, with its domain or without.
  ///   - listening: The name or address that the server listens on.
  ///   - interfaces: The addresses of the machine's interfaces.
  package init(hostName: String, listening: String, interfaces: [String]) {
    let host = hostName.lowercased()
    let short = host.prefix { $0 != "." }
    var names: Set<String> = ["localhost"]
    for name in [host, short + ".local", listening.lowercased()] where MachineNames.isName(name) {
      names.insert(name)
    }
    self.names = names.sorted()
    for text in ["127.0.0.1", "::1", listening] + interfaces {
      guard let address = InternetAddress(text), !address.isAny, !addresses.contains(text) else { continue }
      // A browser cannot open these, and each interface has one.
      if address.isLinkLocal, !address.isVersion4 { continue }
      addresses.append(text)
    }
  }

  /// Those of this machine now.
  /// - Throws: `certificate-invalid` where the system does not list its interfaces.
  package static func current(listening: String) throws(ServerError) -> MachineNames {
    let devices: [NIONetworkDevice]
    do { devices = try System.enumerateDevices() } catch {
      throw ServerError(
        .certificate, "The addresses of this machine cannot be listed: \(error)",
        remedy: "Give the server a certificate of your own")
    }
    return MachineNames(
      hostName: MachineNames.hostName, listening: listening,
      interfaces: devices.compactMap(\.address?.ipAddress))
  }

  /// What a client on another machine may use to reach a server that listens on `host`: nothing where it listens on one
  /// name or address, which is known.
  package func reachable(listening host: String) -> [String] {
    guard let any = InternetAddress(host), any.isAny else { return [] }
    return addresses.filter { text in
      guard let address = InternetAddress(text), !address.isLoopback, !address.isLinkLocal else {
        return false
      }
      // A socket for all IPv6 addresses takes IPv4, too.
      return address.isVersion4 || !any.isVersion4
    }
  }

  private static var hostName: String {
    var bytes = [CChar](repeating: 0, count: 256)
    // SAFETY: the system writes at most as many bytes, and the last one stays zero.
    guard unsafe gethostname(&bytes, bytes.count - 1) == 0 else { return "" }
    return String(decoding: bytes.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  /// Whether a text is a host name of RFC 1123 that no address looks like.
  private static func isName(_ text: String) -> Bool {
    guard (1...253).contains(text.utf8.count), InternetAddress(text) == nil else { return false }
    return text.split(separator: ".", omittingEmptySubsequences: false).allSatisfy { label in
      (1...63).contains(label.utf8.count) && label.first != "-" && label.last != "-"
        && label.utf8.allSatisfy { byte in
          (0x30...0x39).contains(byte) || (0x61...0x7A).contains(byte) || byte == 0x2D
        }
    }
  }
}
#endif
