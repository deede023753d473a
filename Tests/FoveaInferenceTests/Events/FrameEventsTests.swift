// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore
import FoveaFormats
import FoveaTracking
import Testing

@testable import FoveaInference

@Suite struct FrameEventsTests {
  private static func lines(_ messages: [StreamEvent], source: String = "gate") -> [String] {
    messages.enumerated().map { $1.line(number: $0 + 1, source: source) }
  }

  @Test func `a walker through a zone starts, enters, leaves and ends once each`() throws {
    let lines = Self.lines(try EventScene.messages())
    #expect(try EventScene.values("event_type", lines) == ["start", "entered", "left", "end"])
    #expect(try EventScene.values("sequence", lines) == ["1", "2", "3", "4"])
    #expect(Set(try EventScene.values("id", lines)) == ["gate-20261126T115352.000Z-7"])
    #expect(Set(try EventScene.values("startTime", lines)) == ["2026-11-26T11:53:52.000Z"])
    #expect(try EventScene.values("zone", lines[1...2]) == ["drive", "drive"])
    #expect(try EventScene.values("reason", lines[3...]) == ["gone"])
    // The end is reported more than a second after the last sight.
    #expect(try EventScene.values("endTime", lines[3...]) == ["2026-11-26T11:53:53.900Z"])
    #expect(try EventScene.values("time", lines[3...]) == ["2026-11-26T11:53:55.000Z"])
    #expect(lines.allSatisfy { $0.hasSuffix("}\n") })
  }

  @Test func `the name of a source in ids has no dots`() throws {
    let lines = Self.lines(try EventScene.messages(), source: "gate.front")
    #expect(Set(try EventScene.values("id", lines)) == ["gate_front-20261126T115352.000Z-7"])
    #expect(Set(try EventScene.values("source", lines)) == ["gate.front"])
  }

  @Test func `a machine's clock that is set back changes no id, duration or dwell`() throws {
    let counters = try FrameCounters(lines: [], zones: [EventScene.zone], memory: 30)
    var events = FrameEvents()
    for (index, frame) in EventScene.frames().enumerated() {
      let setBack: Int64 = index > 5 ? 3_600_000 : 0
      try events.update(
        frame, in: counters, threshold: 0.5, at: EventScene.moment + 100 * Int64(index) - setBack)
    }
    let lines = Self.lines(events.take())
    let usual = Self.lines(try EventScene.messages())
    for member in ["id", "startTime", "duration", "seconds"] {
      #expect(try EventScene.values(member, lines) == EventScene.values(member, usual), "\(member)")
    }
    #expect(try EventScene.values("dwell", lines[1...2]) == EventScene.values("dwell", usual[1...2]))
    #expect(try EventScene.values("time", lines[3...]) == ["2026-11-26T10:53:55.000Z"])
  }

  @Test func `a restart ends the events, and the same identity starts another`() throws {
    let counters = try FrameCounters(lines: [], zones: [], memory: 30)
    var events = FrameEvents()
    events.finish(.stopped)
    #expect(events.take().isEmpty)
    for frame in EventScene.frames().prefix(2) {
      try events.update(frame, in: counters, threshold: 0.5, at: EventScene.moment)
      events.finish(.interrupted)
    }
    let lines = Self.lines(events.take())
    #expect(try EventScene.values("event_type", lines) == ["start", "end", "start", "end"])
    #expect(events.take().isEmpty)
  }

  @Test func `objects beyond 64 are counted once, also after a restart`() throws {
    let counters = try FrameCounters(lines: [], zones: [], memory: 30)
    var events = FrameEvents()
    for round in 1...2 {
      for number in 1...3 {
        var frame = EventScene.frames()[0]
        (frame.number, frame.seconds) = (number, Double(number) / 10)
        frame.objects = (1...70).map { identity in
          var object = frame.objects[0]
          object.trackingID = identity
          return object
        }
        try events.update(frame, in: counters, threshold: 0.5, at: EventScene.moment)
      }
      #expect(events.takeRefused() == 6 && events.takeRefused() == 0, "\(round)")
      #expect(events.take().count == 64)
      events.finish(.interrupted)
      #expect(events.take().count == 64)
    }
  }

  @Test func `the first frame of an event is its snapshot, and a better one after a second`() throws {
    let counters = try FrameCounters(lines: [], zones: [], memory: 30)
    var events = FrameEvents()
    var shown: [Int: [String]] = [:]
    for (index, frame) in EventScene.frames().enumerated() {
      try events.update(
        frame, in: counters, threshold: 0.5, at: EventScene.moment + 100 * Int64(index))
      let ids = events.takeShown(in: "gate.front")
      if !ids.isEmpty { shown[frame.number] = ids }
      #expect(events.takeShown(in: "gate.front").isEmpty)
    }
    // The first is cut off at the left edge; the others are all the same.
    let id = "gate_front-20261126T115352.000Z-7"
    #expect(shown == [1: [id], 11: [id]])
    #expect(events.take().allSatisfy { $0.id(in: "gate.front") == id })
    try events.update(EventScene.frames()[5], in: counters, threshold: 0.5, at: EventScene.moment)
    events.finish(.stopped)
    #expect(events.takeShown(in: "gate").isEmpty)
  }

  @Test func `frames without a time or a size have no events`() throws {
    let counters = try FrameCounters(lines: [], zones: [], memory: 30)
    var events = FrameEvents()
    for frame in EventScene.frames() {
      var frame = frame
      if frame.number.isMultiple(of: 2) { frame.seconds = nil } else { frame.size = nil }
      try events.update(frame, in: counters, threshold: 0.5, at: EventScene.moment)
    }
    #expect(events.take().isEmpty)
  }
}
#endif
