// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaHTTP
package import FoveaCore
import FoveaTracking
import NIOSSL

/// A broker and what is published there, as an operator writes it.
package struct MQTTSettings: Sendable, Equatable {
  /// `mqtt://` or `mqtts://`, with `user:password@` if needed; the port is 1883 or 8883 by default.
  package var url: String?
  /// The user, unless the URL has one.
  package var user: String?
  /// The file with the password, unless the URL has one; only its owner may be able to read it.
  package var passwordFile: String?
  /// The PEM file with the only authorities whose certificates are trusted; nil for those of the system.
  package var ca: String?
  /// The start of all topics.
  package var prefix = "fovea"
  /// The start of the topics of Home Assistant's discovery; empty for none.
  package var discovery = "homeassistant"
  /// The name of this server among those of a broker; nil for the name of the machine.
  package var node: String?
  /// True if the newest image of each source is published.
  package var snapshots = false

  package init() {}
}

/// A broker, the login, and the start of topics.
package struct MQTTOptions: Sendable, Equatable {
  let address: ListenAddress
  let isSecure: Bool
  let user: String?
  let password: String?
  /// The trusted authorities; empty for those of the system.
  let authorities: [NIOSSLCertificate]
  let topics: MQTTTopics
  /// True if the newest image of each source is published.
  let hasSnapshots: Bool

  /// Checks settings, and reads the files they name.
  /// - Parameters:
  ///   - settings: The settings.
  ///   - sources: The sources, each of which needs topics of its own.
  /// - Throws: `option-invalid`; no message contains a password.
  package init(_ settings: MQTTSettings, for sources: [StreamEntry] = []) throws(FoveaError) {
    try MQTTTopics.check(sources.map(\.name))
    guard let parts = URLParts(settings.url ?? "") else {
      throw .optionInvalid(
        "The address of the MQTT broker is not of the form mqtt://broker:1883",
        remedy: "Give one such as mqtt://broker or mqtts://user:password@broker:8883, with special "
          + "characters of the password as %40")
    }
    (address, isSecure) = (parts.address, parts.isSecure)
    user = parts.user ?? settings.user
    if parts.password == nil, let path = settings.passwordFile {
      password = try OwnerFile.line(path, "password of the MQTT broker")
    } else {
      password = parts.password
    }
    guard password == nil || user?.isEmpty == false else {
      throw .optionInvalid("The MQTT broker has a password without a user", remedy: "Give the user too")
    }
    guard [user, password].allSatisfy({ $0.map(MQTTPacket.accepts) ?? true }) else {
      throw .optionInvalid(
        "The user or password of the MQTT broker has a NUL or more than 65535 bytes", remedy: "Correct it")
    }
    guard settings.ca == nil || parts.isSecure else {
      throw .optionInvalid(
        "'ca' of the MQTT broker is given, but its address has no TLS", remedy: "Use mqtts:// in the address")
    }
    if let path = settings.ca { authorities = try MQTTOptions.authorities(path) } else { authorities = [] }
    hasSnapshots = settings.snapshots
    topics = try MQTTTopics(
      prefix: settings.prefix, discovery: settings.discovery, node: settings.node)
  }

  /// Whether the password can be read on the way to the broker.
  var exposesPassword: Bool { password != nil && !isSecure && !address.isLoopback }

  private static func authorities(_ path: String) throws(FoveaError) -> [NIOSSLCertificate] {
    let bytes: [UInt8]
    do throws(SystemError) { bytes = try SmallFile.bytes(of: path, limit: 1 << 20) } catch {
      throw .optionInvalid(
        "The file of authorities '\(path.printable)' cannot be read: \(error.message)",
        remedy: "Check the path and the permissions of the file")
    }
    guard let authorities = try? NIOSSLCertificate.fromPEMBytes(bytes), !authorities.isEmpty else {
      throw .optionInvalid(
        "The file of authorities '\(path.printable)' has no certificate in PEM",
        remedy: "Give the certificate of the authority that signed the broker's")
    }
    return authorities
  }

  /// The parts of an address of a broker.
  private struct URLParts {
    let isSecure: Bool
    let user: String?
    let password: String?
    let address: ListenAddress

    /// Reads `mqtt://[user[:password]@]host[:port][/]`; nil for anything else.
    init?(_ url: String) {
      guard let scheme = ["mqtt://", "mqtts://"].first(where: { url.hasPrefix($0) }) else { return nil }
      isSecure = scheme == "mqtts://"
      var rest = url.dropFirst(scheme.count)
      if rest.hasSuffix("/") { rest = rest.dropLast() }
      let at = rest.lastIndex(of: "@")
      let place = at.map { String(rest[rest.index(after: $0)...]) } ?? String(rest)
      guard let address = ListenAddress(remote: place, usualPort: isSecure ? 8883 : 1883) else { return nil }
      self.address = address
      guard let at else {
        (user, password) = (nil, nil)
        return
      }
      let login = rest[..<at].split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
      guard let user = PercentText.decode(login[0]), !user.isEmpty else { return nil }
      self.user = user
      guard login.count == 2 else {
        password = nil
        return
      }
      guard let password = PercentText.decode(login[1]) else { return nil }
      self.password = password
    }
  }
}
#endif
