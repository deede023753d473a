// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaTesting
import Testing

@testable import FoveaInference

@Suite struct MQTTPacketTests {
  private static let will = MQTTMessage(topic: "s", payload: "off")

  /// `connect` from the protocol's name to the will, without flags.
  private static func login(_ length: UInt8, _ flags: UInt8, _ rest: [UInt8] = []) -> [UInt8] {
    var bytes: [UInt8] = [0x10, length, 0, 4]
    bytes += "MQTT".utf8
    bytes += [4, flags, 0, 30, 0, 1, 0x63, 0, 1, 0x73, 0, 3]
    bytes += "off".utf8
    bytes += rest
    return bytes
  }

  /// A packet and its bytes.
  static let packets: [(packet: MQTTPacket, bytes: [UInt8])] = [
    (.connect(MQTTLogin(client: "c", will: will, user: nil, password: nil)), login(21, 0x2E)),
    (.connect(MQTTLogin(client: "c", will: will, user: "u", password: nil)), login(24, 0xAE, [0, 1, 0x75])),
    (
      .connect(MQTTLogin(client: "c", will: will, user: "u", password: "ü")),
      login(28, 0xEE, [0, 1, 0x75, 0, 2, 0xC3, 0xBC])
    ),
    (
      .publish(MQTTMessage(topic: "t", payload: "x"), id: 258, isRepeated: false),
      [0x33, 6, 0, 1, 0x74, 1, 2, 0x78]
    ),
    (
      .publish(MQTTMessage(topic: "t", payload: "", isRetained: false), id: 1, isRepeated: true),
      [0x3A, 5, 0, 1, 0x74, 0, 1]
    ),
    (
      .publish(MQTTMessage(topic: "t", image: [0xFF, 0, 0xD8]), id: 1, isRepeated: false),
      [0x33, 8, 0, 1, 0x74, 0, 1, 0xFF, 0, 0xD8]
    ),
    (.ping, [0xC0, 0]), (.disconnect, [0xE0, 0]),
  ]

  @Test(arguments: packets) func `a packet has the bytes of the standard`(
    row: (packet: MQTTPacket, bytes: [UInt8])
  ) {
    #expect(row.packet.bytes == row.bytes)
  }

  /// The bytes after the first one that count the rest, at each change of their number.
  @Test(
    arguments: [
      (127, [127]), (128, [0x80, 1]), (16_383, [0xFF, 0x7F]), (16_384, [0x80, 0x80, 1]),
      (2_097_151, [0xFF, 0xFF, 0x7F]), (2_097_152, [0x80, 0x80, 0x80, 1]),
    ] as [(Int, [UInt8])])
  func `the length has one to four bytes`(_ length: Int, _ digits: [UInt8]) {
    let payload = String(repeating: "x", count: length - 5)
    let bytes = MQTTPacket.publish(MQTTMessage(topic: "t", payload: payload), id: 1, isRepeated: false).bytes
    #expect(Array(bytes[1...digits.count]) == digits && bytes.count == 1 + digits.count + length)
  }

  @Test(
    arguments: [
      ("", true), ("ü", true), ("a\u{0}", false), ("\u{0}", false),
      (String(repeating: "x", count: 65_535), true), (String(repeating: "x", count: 65_536), false),
      (String(repeating: "ü", count: 32_768), false),
    ])
  func `a text of a packet has no NUL and at most 65,535 bytes`(_ text: String, _ isAccepted: Bool) {
    #expect(MQTTPacket.accepts(text) == isAccepted)
  }
}

@Suite struct MQTTReaderTests {
  /// The bytes of a broker, and the replies; nil if they are not those of a broker to a publisher.
  static let pieces: [(bytes: [UInt8], replies: [MQTTReply]?)] = [
    ([], []), ([0x20], []), ([0x20, 2, 0], []), ([0x40, 2, 1], []), ([0xD0], []),
    ([0x20, 2, 0, 0], [.connected(0)]), ([0x20, 2, 0, 5], [.connected(5)]),
    ([0x40, 2, 1, 2], [.acknowledged(258)]), ([0xD0, 0], [.alive]),
    ([0x20, 2, 0, 0, 0xD0, 0, 0x40, 2, 0, 1, 0x40], [.connected(0), .alive, .acknowledged(1)]),
    // A session that the broker has kept, an unknown reason, another length.
    ([0x20, 2, 1, 0], nil), ([0x20, 2, 0, 6], nil), ([0x20, 3], nil), ([0x40, 3], nil), ([0x40, 0], nil),
    ([0xD0, 1], nil), ([0x40, 0xFF, 0xFF, 0xFF, 0x7F], nil), ([0xD0, 0x80, 0], nil),
    // Flags, a message, a subscription, every other kind, garbage.
    ([0x21], nil), ([0x42], nil), ([0xD1], nil), ([0x30, 5, 0, 1, 0x74, 0x78], nil), ([0x90], nil),
    ([0x00], nil), ([0x10], nil), ([0x50], nil), ([0xE0, 0], nil), ([0xF0], nil),
    (Array("HTTP/1.1".utf8), nil), ([0xD0, 0, 0x30], nil),
  ]

  @Test(arguments: pieces) func `only the three packets for a publisher are read`(
    row: (bytes: [UInt8], replies: [MQTTReply]?)
  ) {
    var reader = MQTTReader()
    var bytewise = MQTTReader()
    #expect((try? reader.read(row.bytes)) == row.replies)
    #expect((try? row.bytes.flatMap { byte in try bytewise.read([byte]) }) == row.replies)
  }

  @Test func `random bytes are refused, and nothing is kept`() {
    var generator = SeededGenerator(seed: 7)
    for _ in 0..<20_000 {
      var reader = MQTTReader()
      let bytes = (0..<50).map { _ in UInt8.random(in: 0...255, using: &generator) }
      guard let replies = try? reader.read(bytes) else { continue }
      Issue.record("\(bytes) is read as \(replies)")
    }
  }
}
#endif
