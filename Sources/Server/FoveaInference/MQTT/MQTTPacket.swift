// SPDX-License-Identifier: Apache-2.0
#if Server

/// A packet that a publisher sends to a broker.
///
/// **Source:** MQTT Version 3.1.1, OASIS Standard, section 3.
enum MQTTPacket: Sendable, Equatable {
  case connect(MQTTLogin)
  /// A message with quality of service 1, which the broker acknowledges by its id; `isRepeated` marks one
  /// that an earlier connection may have delivered.
  case publish(MQTTMessage, id: UInt16, isRepeated: Bool)
  case ping
  case disconnect

  /// The seconds without a packet after which the broker sends the last will, halved again as much.
  static let keepAlive: UInt16 = 30

  /// Returns whether a packet can contain a text: it has no NUL and at most 65,535 bytes.
  static func accepts(_ text: String) -> Bool { text.utf8.count <= 0xFFFF && !text.utf8.contains(0) }

  /// The bytes on the wire.
  var bytes: [UInt8] {
    switch self {
    case .connect(let login): Self.packet(0x10, Self.body(of: login))
    case .publish(let message, let id, let isRepeated):
      Self.packet(
        0x32 | (isRepeated ? 0x08 : 0) | (message.isRetained ? 0x01 : 0),
        Self.field(message.topic) + Self.number(id)
          + (message.image ?? Array(message.payload.utf8)))
    case .ping: [0xC0, 0]
    case .disconnect: [0xE0, 0]
    }
  }

  private static func body(of login: MQTTLogin) -> [UInt8] {
    // A clean session, and a will with quality of service 1 that is retained.
    var flags: UInt8 = 0x02 | 0x04 | 0x08 | 0x20
    var rest = field(login.client) + field(login.will.topic) + field(login.will.payload)
    if let user = login.user {
      flags |= 0x80
      rest += field(user)
      if let password = login.password {
        flags |= 0x40
        rest += field(password)
      }
    }
    return field("MQTT") + [4, flags] + number(keepAlive) + rest
  }

  private static func packet(_ kind: UInt8, _ body: [UInt8]) -> [UInt8] {
    var head = [kind]
    var rest = body.count
    repeat {
      let digit = UInt8(rest % 128)
      rest /= 128
      head.append(rest > 0 ? digit | 0x80 : digit)
    } while rest > 0
    return head + body
  }

  private static func number(_ value: UInt16) -> [UInt8] { [UInt8(value >> 8), UInt8(value & 0xFF)] }

  private static func field(_ text: String) -> [UInt8] {
    precondition(accepts(text), "a text of a packet has a NUL or more than 65,535 bytes")
    return number(UInt16(text.utf8.count)) + Array(text.utf8)
  }
}

/// A message for a broker.
struct MQTTMessage: Sendable, Equatable {
  let topic: String
  /// The text; empty removes a retained message.
  var payload = ""
  /// The JPEG that is sent instead of the text, if any.
  var image: [UInt8]?
  /// True if the broker keeps it for later subscribers.
  var isRetained = true
}

/// The first packet of a connection.
struct MQTTLogin: Sendable, Equatable {
  /// The id of the client, of which a broker accepts one at a time.
  let client: String
  /// The retained message that the broker sends if the connection ends without `disconnect`.
  let will: MQTTMessage
  let user: String?
  let password: String?
}
#endif
