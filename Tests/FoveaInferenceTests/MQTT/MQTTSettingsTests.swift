// SPDX-License-Identifier: Apache-2.0
#if Server
import Fovea
import FoveaCore
import FoveaHTTP
import FoveaTesting
import FoveaVideo
import Testing

@testable import FoveaInference

@Suite struct MQTTSettingsTests {
  private static func options(
    _ url: String?, _ sources: [String] = [], _ change: (inout MQTTSettings) -> Void = { _ in }
  ) throws -> MQTTOptions {
    var settings = MQTTSettings()
    settings.url = url
    change(&settings)
    return try MQTTOptions(
      settings, for: sources.map { StreamEntry(name: $0, source: VideoSource("a.mp4")) })
  }

  /// An address, and its host and port, TLS, user and password; nil if it is invalid.
  static let addresses: [(url: String, parts: [String]?)] = [
    ("mqtt://broker", ["broker:1883", "false", "nil", "nil"]),
    ("mqtts://broker/", ["broker:8883", "true", "nil", "nil"]),
    ("mqtt://broker:1884", ["broker:1884", "false", "nil", "nil"]),
    ("mqtt://[::1]", ["[::1]:1883", "false", "nil", "nil"]),
    ("mqtt://[::1]:5", ["[::1]:5", "false", "nil", "nil"]),
    ("mqtt://user@broker", ["broker:1883", "false", "user", "nil"]),
    ("mqtt://user:pass:word@broker:1", ["broker:1", "false", "user", "pass:word"]),
    ("mqtts://a%40b:p%2Fw%C3%BC@broker", ["broker:8883", "true", "a@b", "p/wü"]),
    ("mqtt://user:p@ss@broker", ["broker:1883", "false", "user", "p@ss"]),
    ("", nil), ("broker", nil), ("http://broker", nil), ("mqtt://", nil), ("mqtt://:1883", nil),
    ("mqtt://broker:0", nil), ("mqtt://broker:65536", nil), ("mqtt://broker:x", nil), ("mqtt://::1", nil),
    ("mqtt://broker/topic", nil), ("mqtt://bro ker", nil), ("mqtt://:secret@broker", nil),
    ("mqtt://[::g]", nil), ("mqtt://bro%00ker", nil), ("mqtt://broker#a", nil), ("mqtt://br,oker", nil),
    ("mqtt://user:%zz@broker", nil), ("mqtt://user:%00secret@broker", nil), ("MQTT://broker", nil),
  ]

  @Test(arguments: addresses) func `an address has a host, and may have a port, user and password`(
    row: (url: String, parts: [String]?)
  ) throws {
    guard let parts = row.parts else {
      let error = #expect(throws: FoveaError.self) { try Self.options(row.url) }
      #expect(error?.code.rawValue == "option-invalid")
      #expect(error.map { "\($0.message) \($0.remedy)".contains("secret") } == false)
      return
    }
    let options = try Self.options(row.url)
    #expect(
      [
        options.address.description, "\(options.isSecure)", options.user ?? "nil", options.password ?? "nil",
      ] == parts)
  }

  @Test(arguments: [
    ("mqtt://u:p@broker", true), ("mqtt://u@broker", false), ("mqtts://u:p@broker", false),
    ("mqtt://u:p@127.0.0.1", false), ("mqtt://u:p@localhost", false), ("mqtt://u:p@[::1]", false),
    ("mqtt://u:p@192.0.2.1", true),
  ])
  func `a password without encryption to another machine is exposed`(_ url: String, _ isExposed: Bool) throws
  {
    #expect(try Self.options(url).exposesPassword == isExposed)
  }

  @Test func `a password is the first line of a file that only its owner can read`() throws {
    let folder = try TemporaryFolder()
    func password(_ text: String, _ permissions: mode_t, user: String? = "u") throws -> String? {
      let path = try folder.write("mqtt.secret", text)
      try #require(unsafe chmod(path, permissions) == 0)
      return try Self.options("mqtt://broker") { ($0.user, $0.passwordFile) = (user, path) }.password
    }
    for text in ["secret", "secret\n", "secret\r\n"] { #expect(try password(text, 0o600) == "secret") }
    let bad: [(String, mode_t, String?, String)] = [
      ("secret\n", 0o644, "u", "Other users can read the password of the MQTT broker in 'PATH'"),
      ("secret\n", 0o640, "u", "Other users can read the password of the MQTT broker in 'PATH'"),
      ("", 0o600, "u", "The password of the MQTT broker in 'PATH' is not one line of text"),
      ("one\ntwo", 0o600, "u", "The password of the MQTT broker in 'PATH' is not one line of text"),
      ("secret", 0o600, nil, "The MQTT broker has a password without a user"),
      ("a\u{0}", 0o600, "u", "The user or password of the MQTT broker has a NUL or more than 65535 bytes"),
      (
        String(repeating: "x", count: 65_536), 0o600, "u",
        "The user or password of the MQTT broker has a NUL or more than 65535 bytes"
      ),
    ]
    for (text, permissions, user, message) in bad {
      let error = #expect(throws: FoveaError.self) { try password(text, permissions, user: user) }
      #expect(error?.message == message.replacing("PATH", with: folder["mqtt.secret"]))
    }
    let missing = #expect(throws: FoveaError.self) {
      try Self.options("mqtt://broker") { ($0.user, $0.passwordFile) = ("u", folder["none"]) }
    }
    #expect(
      missing?.message.hasPrefix("The password of the MQTT broker in '\(folder["none"])' cannot be read: ")
        == true)
    // The address wins.
    #expect(
      try Self.options("mqtt://u:own@broker") { $0.passwordFile = folder["none"] }.password == "own")
  }

  @Test func `authorities are certificates, and need TLS`() throws {
    let folder = try TemporaryFolder()
    let path = try folder.write("ca.pem", TestCertificate.valid.certificate)
    #expect(try Self.options("mqtts://broker") { $0.ca = path }.authorities.count == 1)
    let plain = #expect(throws: FoveaError.self) { try Self.options("mqtt://broker") { $0.ca = path } }
    #expect(plain?.message == "'ca' of the MQTT broker is given, but its address has no TLS")
    let other = try folder.write("other.pem", "x")
    let error = #expect(throws: FoveaError.self) { try Self.options("mqtts://broker") { $0.ca = other } }
    #expect(error?.message == "The file of authorities '\(other)' has no certificate in PEM")
  }

  /// A member, its value, and whether it is accepted.
  @Test(arguments: [
    ("prefix", "home/fovea", true), ("prefix", "", false), ("prefix", "a//b", false), ("prefix", "/a", false),
    ("prefix", "a/+", false), ("prefix", "#", false), ("prefix", "ü", false), ("prefix", "a\u{0}", false),
    ("prefix", String(repeating: "x", count: 65), false), ("discovery", "", true),
    ("discovery", "ha-1", true), ("discovery", "a b", false), ("node", "hall_2", true),
    ("node", "a/b", false), ("node", "", false), ("node", "hall.local", false), ("node", "{{ x }}", false),
  ])
  func `the start of topics has letters, digits, underscores and hyphens`(
    _ name: String, _ text: String, _ isAccepted: Bool
  ) {
    let options = try? Self.options("mqtt://broker") { settings in
      switch name {
      case "prefix": settings.prefix = text
      case "discovery": settings.discovery = text
      default: settings.node = text
      }
    }
    #expect((options != nil) == isAccepted)
  }

  @Test func `sources with the same topics end the start`() throws {
    #expect(throws: Never.self) { try Self.options("mqtt://broker", ["a.b", "a-b", "A_b"]) }
    let error = #expect(throws: FoveaError.self) {
      try Self.options("mqtt://broker", ["a.b", "door", "a_b"])
    }
    #expect(error?.message == "The sources 'a.b' and 'a_b' have the same MQTT topics, 'a_b'")
  }

  @Test func `the machine's name is the node unless one is given`() throws {
    let node = try Self.options("mqtt://broker").topics.node
    #expect(!node.isEmpty && node.unicodeScalars.allSatisfy { $0.isASCII })
    #expect(try Self.options("mqtt://broker") { $0.node = "hall" }.topics.client == "fovea-hall")
  }
}
#endif
