// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore
import NIOCore

/// The names and addresses by which clients reach this machine.
package struct MachineNames: Sendable, Equatable {
  /// The names in lower case, without duplicates, in alphabetical order.
  package private(set) var names: [String] = []
  /// The addresses as text, without duplicates: first loopback, then the interfaces.
  package private(set) var addresses: [String] = []

  /// The machine's name for people: its own, or else `localhost`.
  var machine: String { names.first { $0 != "localhost" && !$0.contains(".") } ?? "localhost" }

  /// Sorts its input into names and addresses; anything a certificate cannot contain is omitted.
  /// - Parameters:
  ///   - hostName: The machine's name, with or without its domain.
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
      // A browser cannot open these, and every interface has one.
      if address.isLinkLocal, !address.isVersion4 { continue }
      addresses.append(text)
    }
  }

  /// Returns the current names and addresses of this machine.
  /// - Throws: `certificate-invalid` if the system does not list its interfaces.
  package static func current(listening: String) throws(ServerError) -> MachineNames {
    let devices: [NIONetworkDevice]
    do { devices = try System.enumerateDevices() } catch {
      throw ServerError(
        .certificate, "The addresses of this machine cannot be listed: \(error)",
        remedy: "Give the server your own certificate")
    }
    return MachineNames(
      hostName: MachineNames.hostName, listening: listening,
      interfaces: devices.compactMap(\.address?.ipAddress))
  }

  /// Returns the addresses for clients on other machines of a server that listens on `host`; empty if it
  /// listens on a single, known name or address.
  package func reachable(listening host: String) -> [String] {
    guard let any = InternetAddress(host), any.isAny else { return [] }
    return addresses.filter { text in
      guard let address = InternetAddress(text), !address.isLoopback, !address.isLinkLocal else {
        return false
      }
      // A socket for all IPv6 addresses accepts IPv4 too.
      return address.isVersion4 || !any.isVersion4
    }
  }

  /// The name of this machine; empty if the system has none.
  package static var hostName: String {
    var bytes = [CChar](repeating: 0, count: 256)
    // SAFETY: the system writes at most that many bytes, and the last one stays zero.
    guard unsafe gethostname(&bytes, bytes.count - 1) == 0 else { return "" }
    return String(decoding: bytes.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  /// Returns whether the text is an RFC 1123 host name that does not look like an address.
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
