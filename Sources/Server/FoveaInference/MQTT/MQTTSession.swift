// SPDX-License-Identifier: Apache-2.0
#if Server

/// The state of a connection to a broker, apart from its input and output: which packets may be sent, and
/// which messages the broker has acknowledged.
///
/// At most 20 messages are unacknowledged. Retained messages go before events, and a newer one replaces one
/// of the same topic that was not sent yet, so nothing grows if the broker is slow.
struct MQTTSession: Sendable {
  typealias Instant = ContinuousClock.Instant

  /// The most messages that are not acknowledged.
  static let window = 20
  /// The time without an answer after which the connection ends.
  private static let patience = Duration.seconds(30)
  private static let pingInterval = Duration.seconds(15)

  /// A message that is not acknowledged; its number is nil if it is not an event.
  private struct Flight {
    let id: UInt16
    let number: Int?
  }

  private var reader = MQTTReader()
  /// True after the broker has accepted the login.
  private(set) var isAccepted = false
  /// The highest event such that it and all before it are acknowledged; nil before the first.
  private(set) var acknowledged: Int?
  private var flights: [Flight] = []
  private var lastID: UInt16 = 0
  private var lastNumber: Int?
  private var waiting: [MQTTMessage] = []
  private var packets: [MQTTPacket]
  /// The moment of the last packet of the broker, or of the start.
  private var heard: Instant
  private var pinged: Instant

  /// Starts with the login.
  init(_ login: MQTTLogin, at now: Instant) {
    packets = [.connect(login)]
    heard = now
    pinged = now
  }

  /// The number of events that may be sent now.
  var room: Int { isAccepted && waiting.isEmpty ? max(0, Self.window - flights.count) : 0 }

  /// Whether the broker has acknowledged everything.
  var isIdle: Bool { isAccepted && waiting.isEmpty && flights.isEmpty }

  /// Adds a message that is not an event.
  mutating func put(_ message: MQTTMessage) {
    waiting.removeAll { $0.topic == message.topic }
    waiting.append(message)
  }

  /// Sends an event, for which there must be room.
  /// - Parameters:
  ///   - event: The message.
  ///   - number: Its number, higher than that of the previous event.
  ///   - isRepeated: Whether an earlier connection may have delivered it.
  mutating func send(_ event: MQTTMessage, number: Int, isRepeated: Bool) {
    lastNumber = number
    send(event, number, isRepeated)
  }

  private mutating func send(_ message: MQTTMessage, _ number: Int?, _ isRepeated: Bool) {
    // 0 is not an id. With 20 in flight, the next of 65,535 is free.
    lastID = lastID == .max ? 1 : lastID + 1
    flights.append(Flight(id: lastID, number: number))
    packets.append(.publish(message, id: lastID, isRepeated: isRepeated))
  }

  /// Processes bytes of the broker.
  /// - Throws: The end of the connection.
  mutating func receive(_ bytes: some Sequence<UInt8>, at now: Instant) throws(MQTTEnd) {
    for reply in try reader.read(bytes) {
      heard = now
      switch reply {
      case .connected(0) where !isAccepted: isAccepted = true
      case .connected(let code) where !isAccepted: throw .refused(code)
      case .acknowledged(let id):
        guard let index = flights.firstIndex(where: { $0.id == id }) else { throw .malformed }
        flights.remove(at: index)
        acknowledged = flights.lazy.compactMap(\.number).first.map { $0 - 1 } ?? lastNumber
      case .alive where isAccepted: break
      default: throw .malformed
      }
    }
  }

  /// Throws `MQTTEnd.silent` if the broker has not answered for too long.
  func check(at now: Instant) throws(MQTTEnd) {
    if now - heard > Self.patience { throw .silent }
  }

  /// Returns the packets to send now, in their order.
  mutating func take(at now: Instant) -> [MQTTPacket] {
    if isAccepted {
      while flights.count < Self.window, !waiting.isEmpty { send(waiting.removeFirst(), nil, false) }
      if now - pinged >= Self.pingInterval {
        pinged = now
        packets.append(.ping)
      }
    }
    defer { packets = [] }
    return packets
  }
}
#endif
