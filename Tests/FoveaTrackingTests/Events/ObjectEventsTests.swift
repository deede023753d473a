// SPDX-License-Identifier: Apache-2.0

import FoveaGeometry
import Testing

@testable import FoveaTracking

@Suite struct ObjectEventsTests {
  /// An object in a frame; its box is 40 × 80: the tolerance of zones is 5.7 pixels, that of a still foot 2.8.
  struct Seen: Sendable {
    var identity: Int
    var x: Double
    var score = 0.9
    var label: String? = "person"

    var object: ObservedObject {
      ObservedObject(
        identity: identity, label: label, score: score,
        box: BoundingBox(x: x - 20, y: 220, width: 40, height: 80))
    }
  }

  struct Frame: Sendable {
    var seconds: Double
    var seen: [Seen] = []
    var isWatched = true
  }

  static func zone(
    _ name: String, _ left: Double, _ right: Double, labels: Set<String> = [], dwell: Double? = nil
  ) -> CountingZone {
    CountingZone(
      name, [(left, 200), (right, 200), (right, 400), (left, 400)].map { PixelPoint(x: $0.0, y: $0.1) },
      labels: labels, dwell: dwell)
  }

  static let door = CountingLine(
    "door", from: PixelPoint(x: 401, y: 200), to: PixelPoint(x: 401, y: 400))

  /// `seconds kind #life details`, with one decimal.
  private static func text(_ event: ObjectEvent) -> String {
    func number(_ value: Double) -> String { "\((value * 10).rounded() / 10)" }
    var parts = [number(event.seconds), event.kind.rawValue, "#\(event.life)"]
    if let zone = event.zone { parts.append(zone) }
    if let dwell = event.dwell { parts.append(number(dwell)) }
    if let line = event.line { parts.append(line) }
    if let direction = event.direction { parts.append("\(direction)") }
    if let reason = event.reason { parts.append(reason.rawValue) }
    return parts.joined(separator: " ")
  }

  private static func run(_ events: inout ObjectEvents, _ frames: [Frame]) -> [ObjectEvent] {
    frames.enumerated().flatMap { index, frame in
      events.update(
        frame.seen.map(\.object), frame: index + 1, seconds: frame.seconds, isWatched: frame.isWatched)
    }
  }

  struct Scene: Sendable, CustomTestStringConvertible {
    let testDescription: String
    var zones: [CountingZone] = []
    var lines: [CountingLine] = []
    var threshold = 0.5
    let frames: [[Frame]]
    let expected: [String]
  }

  /// A walker of 60 pixels a second, and one who stands in the zone from 2.1 to 8.9 s.
  private static let walkerAndStander = (1...90).map { number in
    var seen: [Seen] = []
    if number <= 80 { seen.append(Seen(identity: 1, x: 6 * Double(number) + 20)) }
    if number >= 22 { seen.append(Seen(identity: 2, x: 250)) }
    return Frame(seconds: Double(number - 1) / 10, seen: seen)
  }

  private static func frames(_ times: [Double], _ seen: Seen...) -> [Frame] {
    times.map { Frame(seconds: $0, seen: seen) }
  }

  /// A walk of 100 pixels a second.
  private static let walk = (0...3).map {
    Frame(seconds: Double($0), seen: [Seen(identity: 1, x: 50 + 100 * Double($0))])
  }

  private static let halves = (0...12).map { Double($0) / 2 }

  static let scenes: [Scene] = [
    Scene(testDescription: "no frames", frames: [], expected: []),
    Scene(testDescription: "no objects", frames: [frames([0, 1, 2])], expected: []),
    Scene(
      testDescription: "a walker and a stander", zones: [zone("drive", 203, 317, dwell: 5)], lines: [door],
      frames: [walkerAndStander],
      expected: [
        "0.0 start #1", "2.1 start #2", "2.1 entered #2 drive 0.0", "3.0 entered #1 drive 0.0",
        "5.0 left #1 drive 2.0", "6.4 crossed #1 door out", "7.1 still #2", "7.1 dwell #2 drive 5.0",
        "7.9 end #1 source-ended", "8.9 end #2 source-ended",
      ]),
    Scene(
      testDescription: "a track that flickers is one event",
      frames: [
        frames([0, 0.1, 0.2], Seen(identity: 7, x: 50)), frames([0.4, 0.6, 0.8, 1, 1.1]),
        frames([1.2, 1.3], Seen(identity: 7, x: 50)),
      ],
      expected: ["0.0 start #1", "1.3 end #1 source-ended"]),
    Scene(
      testDescription: "a track that is away for more than a second is another event",
      frames: [
        frames([0, 0.2], Seen(identity: 7, x: 50)), frames([0.7, 1.2, 1.3]),
        frames([1.9], Seen(identity: 7, x: 50)),
      ],
      expected: ["0.0 start #1", "0.2 end #1 gone", "1.9 start #2", "1.9 end #2 source-ended"]),
    Scene(
      testDescription: "a moving object with a new identity is another event",
      frames: [frames([0, 0.5], Seen(identity: 1, x: 50)), frames([1], Seen(identity: 2, x: 50))],
      expected: ["0.0 start #1", "1.0 start #2", "0.5 end #1 source-ended", "1.0 end #2 source-ended"]),
    Scene(
      testDescription: "an identity that switches at a boundary continues the event",
      zones: [zone("drive", 203, 317)],
      frames: [
        frames(halves, Seen(identity: 1, x: 205)), frames([6.5, 7, 8, 9]),
        frames([9.5], Seen(identity: 9, x: 201)), frames([10], Seen(identity: 9, x: 196)),
      ],
      expected: [
        "0.0 start #1", "0.0 entered #1 drive 0.0", "5.0 still #1", "10.0 left #1 drive 10.0",
        "10.0 moved #1", "10.0 end #1 source-ended",
      ]),
    Scene(
      testDescription: "a still object of another label is another event",
      frames: [
        frames(halves, Seen(identity: 1, x: 50)), frames([7], Seen(identity: 2, x: 50, label: "car")),
      ],
      expected: [
        "0.0 start #1", "5.0 still #1", "7.0 start #2", "6.0 end #1 source-ended", "7.0 end #2 source-ended",
      ]),
    Scene(
      testDescription: "a parked car is one event, also after a source was away for an hour",
      zones: [zone("drive", 203, 317, dwell: 15)],
      frames: [
        frames(halves, Seen(identity: 1, x: 250)), frames([3606], Seen(identity: 4, x: 250)),
        frames([3606.5]),
      ],
      expected: [
        "0.0 start #1", "0.0 entered #1 drive 0.0", "5.0 still #1", "3606.0 dwell #1 drive 3606.0",
        "3606.0 end #1 source-ended",
      ]),
    Scene(
      testDescription: "a still object is missed for a minute",
      frames: [frames(halves, Seen(identity: 1, x: 250)), frames((7...67).map(Double.init))],
      expected: ["0.0 start #1", "5.0 still #1", "6.0 end #1 gone"]),
    Scene(
      testDescription: "a dwell is reached exactly, once a visit",
      zones: [zone("drive", 203, 317, dwell: 0.3)],
      frames: [
        frames([2.1, 2.2, 2.3, 2.4], Seen(identity: 1, x: 250)), frames([2.5], Seen(identity: 1, x: 400)),
        frames([2.6, 2.7, 2.8, 2.9, 3], Seen(identity: 1, x: 250)),
      ],
      expected: [
        "2.1 start #1", "2.1 entered #1 drive 0.0", "2.4 dwell #1 drive 0.3", "2.5 left #1 drive 0.4",
        "2.6 entered #1 drive 0.0", "2.9 dwell #1 drive 0.3", "3.0 end #1 source-ended",
      ]),
    Scene(
      testDescription: "an object that leaves when the dwell would be reached has no dwell",
      zones: [zone("drive", 203, 317, dwell: 0.3)],
      frames: [frames([0, 0.1, 0.2], Seen(identity: 1, x: 250)), frames([0.3], Seen(identity: 1, x: 400))],
      expected: [
        "0.0 start #1", "0.0 entered #1 drive 0.0", "0.3 left #1 drive 0.3", "0.3 end #1 source-ended",
      ]),
    Scene(
      testDescription: "zones overlap, and one sees only cars",
      zones: [zone("a", 0, 200), zone("b", 100, 300), zone("cars", 0, 400, labels: ["car"])],
      frames: [walk],
      expected: [
        "0.0 start #1", "0.0 entered #1 a 0.0", "1.0 entered #1 b 0.0", "2.0 left #1 a 2.0",
        "3.0 left #1 b 2.0", "3.0 end #1 source-ended",
      ]),
    Scene(
      testDescription: "the clock steps back", zones: [zone("drive", 203, 317, dwell: 3)],
      frames: [frames([100, 101, 50, 51, 52], Seen(identity: 1, x: 250))],
      expected: [
        "100.0 start #1", "100.0 entered #1 drive 0.0", "52.0 dwell #1 drive 3.0", "52.0 end #1 source-ended",
      ]),
    Scene(
      testDescription: "a time that is not a number counts as 0",
      frames: [frames([0, .nan, .infinity, 0.5], Seen(identity: 1, x: 250))],
      expected: ["0.0 start #1", "0.5 end #1 source-ended"]),
    Scene(
      testDescription: "an object starts when its median score is high enough, in the zone it is in by then",
      zones: [zone("drive", 203, 317)], threshold: 0.6,
      frames: [
        frames([0], Seen(identity: 1, x: 250, score: 0.4)),
        frames([1], Seen(identity: 1, x: 255, score: 0.9)),
      ],
      expected: ["1.0 start #1", "1.0 entered #1 drive 1.0", "1.0 end #1 source-ended"]),
    Scene(
      testDescription: "an object that never scores enough has no event", lines: [door], threshold: 0.6,
      frames: [
        frames([0, 1], Seen(identity: 1, x: 300, score: 0.5)),
        frames([2], Seen(identity: 1, x: 500, score: 0.5)),
      ],
      expected: []),
  ]

  @Test(arguments: scenes)
  func `a scene has exactly its events`(scene: Scene) throws {
    var events = try ObjectEvents(lines: scene.lines, zones: scene.zones, threshold: scene.threshold)
    let messages = Self.run(&events, Array(scene.frames.joined())) + events.finish(.sourceEnded)
    #expect(messages.map(Self.text) == scene.expected)
    for life in Set(messages.map(\.life)) {
      let own = messages.filter { $0.life == life }
      #expect(own.map(\.sequence) == Array(1...own.count))
      #expect(own.first?.kind == .start && own.last?.kind == .end)
      #expect(own.allSatisfy { $0.duration >= 0 && $0.stays.allSatisfy { $0.seconds >= 0 } })
    }
    #expect(events.finish(.stopped).isEmpty)
  }

  @Test func `quiet frames age nobody, and stays go on in them`() throws {
    var events = try ObjectEvents(zones: [Self.zone("drive", 203, 317, dwell: 30)])
    let seen = [Seen(identity: 1, x: 250)]
    let quiet = (1...120).map { Frame(seconds: Double($0), isWatched: false) }
    let messages = Self.run(
      &events,
      [Frame(seconds: 0, seen: seen)] + quiet + [Frame(seconds: 120.5), Frame(seconds: 121, seen: seen)])
    #expect(
      messages.map(Self.text) == [
        "0.0 start #1", "0.0 entered #1 drive 0.0", "5.0 still #1", "30.0 dwell #1 drive 30.0",
      ])
  }

  @Test func `each message is whole`() throws {
    var events = try ObjectEvents(zones: [Self.zone("a", 0, 200), Self.zone("b", 100, 300)])
    _ = Self.run(
      &events,
      [
        Frame(seconds: 10, seen: [Seen(identity: 5, x: 50, score: 0.95)]),
        Frame(seconds: 11.5, seen: [Seen(identity: 5, x: 150, score: 0.6)]), Frame(seconds: 12),
      ])
    let end = try #require(events.finish(.stopped).first)
    #expect(end.object == Seen(identity: 5, x: 150, score: 0.6).object)
    #expect(end.topScore == 0.95 && end.sequence == 4 && end.frame == 2 && end.startIdentity == 5)
    #expect(end.seconds == 11.5 && end.reportedSeconds == 12 && end.startSeconds == 10)
    #expect(end.duration == 1.5 && !end.isStill && end.reason == .stopped)
    #expect(end.stays == [.init(zone: "a", seconds: 1.5), .init(zone: "b", seconds: 0)])
  }

  @Test func `a zone knows its queue and its stays`() throws {
    var events = try ObjectEvents(zones: [Self.zone("drive", 203, 317)])
    #expect(events.stays == [ZoneStays()])
    _ = Self.run(&events, Self.walkerAndStander)
    let stays = try #require(events.stays.first)
    #expect(stays.queue == 1 && stays.count == 1)
    #expect(abs(stays.longest - 6.8) < 1e-9 && abs(stays.total - 2) < 1e-9 && abs(stays.maximum - 2) < 1e-9)
    _ = events.finish(.sourceEnded)
    let ended = try #require(events.stays.first)
    #expect(ended.queue == 0 && ended.longest == 0 && ended.count == 2)
    #expect(abs((ended.mean ?? 0) - 4.4) < 1e-9 && abs(ended.maximum - 6.8) < 1e-9)
  }

  @Test func `boxes that cannot be counted have no events, and an identity counts once a frame`() throws {
    var events = try ObjectEvents()
    let boxes = [
      BoundingBox(minX: 0, minY: 0, maxX: 0, maxY: 9), BoundingBox(minX: .nan, minY: 0, maxX: 9, maxY: 9),
      BoundingBox(minX: 0, minY: 0, maxX: .infinity, maxY: 9),
      BoundingBox(minX: 0, minY: 0, maxX: 2e6, maxY: 9),
    ]
    let objects = boxes.enumerated().map { ObservedObject(identity: $0, score: 0.9, box: $1) }
    #expect(events.update(objects, frame: 1, seconds: 0).isEmpty)
    let twice = [Seen(identity: 8, x: 50).object, Seen(identity: 8, x: 300).object]
    #expect(events.update(twice, frame: 2, seconds: 1).map(\.kind) == [.start])
  }

  @Test func `64 events are open at a time, and the rest are counted`() throws {
    var events = try ObjectEvents()
    let crowd = (0..<70).map { Seen(identity: $0, x: 100 * Double($0)).object }
    for frame in 1...3 {
      let starts = events.update(crowd, frame: frame, seconds: Double(frame)).filter { $0.kind == .start }
      #expect(starts.count == (frame == 1 ? 64 : 0))
    }
    #expect(events.refused == 6)
  }

  @Test func `the objects of a frame with an event are known, and no others`() throws {
    var events = try ObjectEvents()
    let frames = [
      [], [Seen(identity: 3, x: 50), Seen(identity: 4, x: 300, score: 0.3)],
      [Seen(identity: 4, x: 300), Seen(identity: 3, x: 90)], [Seen(identity: 3, x: 130)],
    ]
    var seen: [[Int]] = []
    for (number, objects) in frames.enumerated() {
      // All at the same time, as a hostile source may have them.
      _ = events.update(objects.map(\.object), frame: number, seconds: 1)
      seen.append(events.seen(in: number).map(\.startIdentity))
    }
    #expect(seen == [[], [3], [3, 4], [3]])
    #expect(events.seen(in: 3).first?.object.box.minX == 110 && events.seen(in: 2).map(\.life) == [2])
    _ = events.update([], frame: 4, seconds: 2, isWatched: false)
    #expect(events.seen(in: 4).isEmpty)
    _ = events.finish(.stopped)
    #expect(events.seen(in: 3).isEmpty)
  }

  @Test(
    arguments: [
      (
        "two points", [CountingZone("a", [PixelPoint(x: 0, y: 0), PixelPoint(x: 9, y: 9)])], "The zone has 2"
      ),
      ("two equal names", [zone("a", 0, 9), zone("a", 5, 9)], "Two zones have the name 'a'"),
      ("a slash", [zone("a/b", 0, 9)], "The name 'a/b' of a zone is not"),
      ("no name", [zone("", 0, 9)], "The name '' of a zone is not"),
      ("an umlaut", [zone("tür", 0, 9)], "The name 'tür' of a zone is not"),
      ("a long name", [zone(String(repeating: "x", count: 65), 0, 9)], "The name 'xxx"),
      ("a dwell of 0", [zone("a", 0, 9, dwell: 0)], "The dwell of zone 'a' is 0 seconds"),
      ("a dwell of a year", [zone("a", 0, 9, dwell: 31_536_000)], "The dwell of zone 'a' is 31536000"),
      ("a dwell of no number", [zone("a", 0, 9, dwell: .nan)], "The dwell of zone 'a' is nan"),
    ] as [(String, [CountingZone], String)])
  func `zones that cannot be events are refused`(
    _ name: String, _ zones: [CountingZone], _ message: String
  ) {
    let error = #expect(throws: CountingError.self) { try ObjectEvents(zones: zones) }
    #expect(error?.code == .invalidZone)
    #expect(error?.message.hasPrefix(message) == true, "\(name): \(error?.message ?? "")")
  }

  @Test func `the longest dwell, the longest name and names of lines are accepted`() throws {
    _ = try ObjectEvents(
      lines: [CountingLine("drive", from: Self.door.start, to: Self.door.end)],
      zones: [Self.zone("drive", 0, 9, dwell: 86_400), Self.zone(String(repeating: "x", count: 64), 0, 9)])
    let error = #expect(throws: CountingError.self) { try ObjectEvents(lines: [Self.door, Self.door]) }
    #expect(error?.code == .invalidLine && error?.message == "Two lines have the name 'door'")
  }
}
