// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaVideo
import Testing

@testable import FoveaInference

@Suite struct MQTTClientTests {
  private static let now = ContinuousClock.now
  private static let gate = StreamEntry(name: "gate", source: VideoSource("gate.mp4"))

  private static func client(gone: [String] = [], newest: Int = 0) throws -> MQTTClient {
    var settings = MQTTSettings()
    (settings.url, settings.node) = ("mqtt://user:secret@broker", "hall")
    return MQTTClient(try MQTTOptions(settings), [gate], gone: gone, newest: newest)
  }

  private static func events(_ numbers: ClosedRange<Int>) -> [EventLine] {
    numbers.compactMap { number in
      EventLine(#"{"event_type": "start", "id": "a", "number": \#(number), "source": "gate"}"#.utf8)
    }
  }

  /// The topic of each message, or the number of an event with `*` if it is repeated; other packets by name.
  private static func names(_ step: MQTTClient.Step) -> [String] {
    step.packets.map { packet in
      switch packet {
      case .connect: "connect"
      case .publish(let message, _, let isRepeated) where !message.isRetained:
        EventLine(message.payload.utf8).map { "\($0.number)\(isRepeated ? "*" : "")" } ?? "?"
      case .publish(let message, _, _):
        message.image.map { "\(message.topic) \($0)" }
          ?? (message.payload.isEmpty ? "-\(message.topic)" : message.topic)
      case .ping: "ping"
      case .disconnect: "disconnect"
      }
    }
  }

  private static func acknowledgements(_ step: MQTTClient.Step) -> [UInt8] {
    step.packets.flatMap { packet -> [UInt8] in
      guard case .publish(_, let id, _) = packet else { return [] }
      return [0x40, 2, UInt8(id >> 8), UInt8(id & 0xFF)]
    }
  }

  /// Connects, and acknowledges the messages before the events.
  private static func connect(_ client: inout MQTTClient) throws {
    client.open(at: now)
    client.report([StreamReading()], at: now)
    #expect(names(client.step(at: now)) == ["connect"])
    try client.receive([0x20, 2, 0, 0], at: now)
  }

  private static let greeting = [
    "homeassistant/device/fovea_hall_gate/config", "fovea/status", "fovea/gate/status", "fovea/gate/state",
  ]

  @Test func `a connection begins with discovery, status and state, before the events`() throws {
    var client = try Self.client(gone: ["fovea/door/state"])
    client.add(Self.events(1...2))
    try Self.connect(&client)
    let step = client.step(at: Self.now)
    #expect(Self.names(step) == ["-fovea/door/state"] + Self.greeting + ["1", "2"])
    #expect(!step.hasCleaned)
    try client.receive(Self.acknowledgements(step), at: Self.now)
    #expect(client.step(at: Self.now).hasCleaned)
    #expect(!client.step(at: Self.now).hasCleaned && client.waiting == 0)
  }

  @Test func `the newest image of a source is sent, and again over the next connection`() throws {
    var client = try Self.client()
    client.show([1], of: "gate")
    client.show([2], of: "gate")
    client.show([3], of: "door")
    client.add(Self.events(1...1))
    try Self.connect(&client)
    let first = client.step(at: Self.now)
    // The state was reported after the connection had begun.
    #expect(
      Self.names(first).filter { !Self.greeting.contains($0) } == ["fovea/gate/snapshot [2]", "1"])
    client.show([4], of: "gate")
    client.show([5], of: "gate")
    #expect(Self.names(client.step(at: Self.now)) == ["fovea/gate/snapshot [5]"])
    client.close()
    try Self.connect(&client)
    #expect(
      Self.names(client.step(at: Self.now)).filter { !Self.greeting.contains($0) }
        == ["fovea/gate/snapshot [5]", "1*"])
  }

  @Test func `at most 20 messages are unacknowledged, and the others follow in order`() throws {
    var client = try Self.client()
    client.add(Self.events(1...50))
    try Self.connect(&client)
    var sent: [String] = []
    var delivered: [Int] = []
    while delivered.count < 50 {
      let step = client.step(at: Self.now)
      #expect(step.packets.count <= MQTTSession.window)
      sent += Self.names(step)
      delivered += step.delivered.map(\.number)
      try client.receive(Self.acknowledgements(step), at: Self.now)
      guard !step.packets.isEmpty || !step.delivered.isEmpty else { break }
    }
    let events = sent.dropFirst(Self.greeting.count).compactMap { Int($0) }
    #expect(Array(sent.prefix(Self.greeting.count)) == Self.greeting)
    #expect(events == Array(1...50) && delivered == events)
  }

  @Test func `what is not acknowledged is sent again over the next connection`() throws {
    var client = try Self.client()
    client.add(Self.events(1...9))
    try Self.connect(&client)
    let step = client.step(at: Self.now)
    // The messages before the events, then 1, 2 and, out of order, 4.
    let packets = Self.acknowledgements(step)
    try client.receive(packets[..<24] + packets[28..<32], at: Self.now)
    #expect(client.step(at: Self.now).delivered.map(\.number) == [1, 2])
    client.close()
    #expect(client.accepted == nil && client.waiting == 7)
    client.add(Self.events(10...10))
    try Self.connect(&client)
    var expected = Self.greeting
    expected += (3...9).map { "\($0)*" }
    expected.append("10")
    #expect(Self.names(client.step(at: Self.now)) == expected)
  }

  @Test func `an id that is not in flight, and a second login, are no answers of a broker`() throws {
    for bytes: [UInt8] in [[0x40, 2, 0, 99], [0x40, 2, 0, 0], [0x20, 2, 0, 0]] {
      var client = try Self.client()
      try Self.connect(&client)
      _ = client.step(at: Self.now)
      #expect(throws: MQTTEnd.malformed) { try client.receive(bytes, at: Self.now) }
    }
    var early = try Self.client()
    early.open(at: Self.now)
    #expect(throws: MQTTEnd.malformed) { try early.receive([0xD0, 0], at: Self.now) }
    #expect(throws: MQTTEnd.refused(4)) {
      var refused = try Self.client()
      refused.open(at: Self.now)
      try refused.receive([0x20, 2, 0, 4], at: Self.now)
    }
  }

  @Test func `a silent broker gets pings, and is given up after 30 seconds`() throws {
    var client = try Self.client()
    try Self.connect(&client)
    try client.receive(Self.acknowledgements(client.step(at: Self.now)), at: Self.now)
    #expect(Self.names(client.step(at: Self.now + .seconds(14))) == [])
    #expect(Self.names(client.step(at: Self.now + .seconds(15))) == ["ping"])
    #expect(Self.names(client.step(at: Self.now + .seconds(16))) == [])
    try client.check(at: Self.now + .seconds(30))
    #expect(throws: MQTTEnd.silent) { try client.check(at: Self.now + .seconds(31)) }
    try client.receive([0xD0, 0], at: Self.now + .seconds(31))
    try client.check(at: Self.now + .seconds(60))
  }

  @Test func `the end sends the last events, then offline, then disconnects`() throws {
    var client = try Self.client(newest: 4)
    try Self.connect(&client)
    try client.receive(Self.acknowledgements(client.step(at: Self.now)), at: Self.now)
    _ = client.step(at: Self.now)
    client.finish(with: 5, at: Self.now)
    #expect(Self.names(client.step(at: Self.now)) == [])
    client.add(Self.events(5...5))
    let last = client.step(at: Self.now)
    #expect(Self.names(last) == ["5"])
    try client.receive(Self.acknowledgements(last), at: Self.now)
    let goodbye = client.step(at: Self.now)
    #expect(Self.names(goodbye) == ["fovea/gate/status", "fovea/status"] && !client.isOver)
    try client.receive(Self.acknowledgements(goodbye), at: Self.now)
    #expect(Self.names(client.step(at: Self.now)) == ["disconnect"] && client.isOver)
  }

  @Test func `an end with events that the broker does not take says offline after two seconds`() throws {
    var client = try Self.client()
    client.add(Self.events(1...9))
    try Self.connect(&client)
    _ = client.step(at: Self.now)
    client.finish(with: 9, at: Self.now)
    #expect(Self.names(client.step(at: Self.now + .seconds(2))) == [])
    #expect(
      Self.names(client.step(at: Self.now + .seconds(2.1))) == ["fovea/gate/status", "fovea/status"])
  }

  @Test func `delays double, and each end is logged once until a connection lasts`() {
    var attempts = MQTTAttempts()
    let delays = (0..<8).map { _ in attempts.ended(.closed, after: nil) }
    let seconds = [0.5, 1, 2, 4, 8, 16, 30, 30]
    #expect(delays.map { $0.delay / .seconds(1) } == seconds)
    #expect(delays.map(\.isNew) == [true] + Array(repeating: false, count: 7))
    #expect(attempts.ended(.refused(4), after: nil).isNew)
    let later = attempts.ended(.closed, after: .seconds(10))
    #expect(later.isNew && later.delay == .milliseconds(500))
    let quick = (0..<6).map { _ in attempts.ended(.closed, after: .seconds(1)) }
    #expect(quick.map(\.isDisputed) == [false, false, false, false, true, false])
    #expect((0..<100).count { attempts.ended(.unreachable("\($0)"), after: nil).isNew } < 20)
  }
}
#endif
