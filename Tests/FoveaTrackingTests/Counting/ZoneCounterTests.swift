// SPDX-License-Identifier: Apache-2.0

import FoveaGeometry
import FoveaTesting
import Testing

@testable import FoveaTracking

@Suite struct ZoneCounterTests {
  struct Visit: CustomTestStringConvertible {
    let name: String
    /// The anchor in each frame; nil if the object is not seen.
    let path: [(Double, Double)?]
    /// Entered, left, vanished.
    let expected: [Int]
    var testDescription: String { name }
  }

  /// A "U" of three bars, open at the top, 100…200 in both directions: its notch is 130…170 wide and extends
  /// down to 160.
  static let outline: [(Double, Double)] = [
    (100, 100), (130, 100), (130, 160), (170, 160), (170, 100), (200, 100), (200, 200), (100, 200),
  ]

  // Boxes are 20 × 20: the tolerance of a tenth is 2 pixels.
  static let visits = [
    Visit(name: "no frame", path: [], expected: [0, 0, 0]),
    Visit(name: "appears inside", path: [(150, 180)], expected: [1, 0, 0]),
    Visit(name: "in the notch", path: [(150, 120)], expected: [0, 0, 0]),
    Visit(name: "through the zone", path: [(50, 180), (150, 180), (250, 180)], expected: [1, 1, 0]),
    Visit(name: "jumps over the zone", path: [(50, 180), (250, 180)], expected: [0, 0, 0]),
    Visit(name: "in through a corner", path: [(90, 90), (100, 100), (105, 110)], expected: [1, 0, 0]),
    Visit(
      name: "touches a corner and turns back", path: [(90, 90), (100, 100), (90, 90)], expected: [1, 1, 0]),
    Visit(name: "on an edge", path: [(100, 150)], expected: [1, 0, 0]),
    Visit(name: "along an edge", path: [(99, 90), (100, 120), (100, 150), (100, 190)], expected: [1, 0, 0]),
    Visit(
      name: "level with corners, outside", path: [(50, 100), (150, 100), (250, 100)], expected: [0, 0, 0]),
    Visit(
      name: "level with the notch's floor, inside", path: [(110, 160), (190, 160)], expected: [1, 0, 0]),
    Visit(
      name: "one bar to the other through the notch", path: [(115, 120), (150, 120), (185, 120)],
      expected: [2, 1, 0]),
    Visit(
      name: "trembles at the edge", path: (0..<50).map { ($0.isMultiple(of: 2) ? 99 : 101, 150) },
      expected: [1, 0, 0]),
    Visit(name: "just within the tolerance", path: [(110, 150), (98, 150)], expected: [1, 0, 0]),
    Visit(name: "just beyond the tolerance", path: [(110, 150), (97.99, 150)], expected: [1, 1, 0]),
    Visit(
      name: "lost inside and back inside", path: [(150, 180), nil, nil, (160, 180)], expected: [1, 0, 0]),
    Visit(
      name: "lost inside and back outside", path: [(150, 180), nil, nil, (50, 50)], expected: [1, 1, 0]),
    Visit(
      name: "lost inside for ever", path: [(150, 180)] + Array(repeating: nil, count: 11),
      expected: [1, 0, 1]),
    Visit(
      name: "lost inside, still remembered", path: [(150, 180)] + Array(repeating: nil, count: 10),
      expected: [1, 0, 0]),
    Visit(
      name: "back after it was forgotten",
      path: [(150, 180)] + Array(repeating: nil, count: 11) + [(150, 180)],
      expected: [2, 0, 1]),
    Visit(name: "no number in between", path: [(150, 180), (.nan, .nan), (150, 180)], expected: [1, 0, 0]),
    Visit(name: "huge in between", path: [(150, 180), (1e300, -1e300), (150, 180)], expected: [1, 0, 0]),
  ]

  static func points(_ values: [(Double, Double)]) -> [PixelPoint] {
    values.map { PixelPoint(x: $0.0, y: $0.1) }
  }

  static func counter(_ corners: [(Double, Double)] = outline) throws -> ZoneCounter {
    var options = CountingOptions()
    options.memoryFrames = 10
    return try ZoneCounter(points(corners), options: options)
  }

  private static func object(_ identity: Int = 1, at point: (Double, Double), classIndex: Int? = nil)
    -> CountedObject
  {
    LineCounterTests.object(identity, at: point, classIndex: classIndex)
  }

  @Test(arguments: visits, [false, true])
  func `an object enters, leaves and vanishes`(_ visit: Visit, reversed: Bool) throws {
    var counter = try Self.counter(reversed ? Self.outline.reversed() : Self.outline)
    for point in visit.path {
      counter.update(point.map { [Self.object(at: $0)] } ?? [])
      #expect(counter.inside.count == counter.counts.inside)
    }
    #expect([counter.counts.entered, counter.counts.left, counter.counts.vanished] == visit.expected)
  }

  @Test func `an object that returns is one object, and counts are kept by class`() throws {
    var counter = try Self.counter()
    for x in [150.0, 50, 150, 50, 150] {
      counter.update([Self.object(4, at: (x, 180), classIndex: 1), Self.object(2, at: (150, 180))])
    }
    #expect(counter.counts.entered == 4)
    #expect(counter.counts.distinct == 2)
    #expect(counter.inside == [2, 4])
    #expect(counter.countsByClass[1]?.entered == 3)
    #expect(counter.countsByClass[1]?.distinct == 1)
    #expect(counter.countsByClass.count == 1)
  }

  @Test func `vanished objects are last, by identity`() throws {
    var counter = try Self.counter()
    counter.update([9, 3, 6].map { Self.object($0, at: (150, 180)) })
    for _ in 0..<10 { #expect(counter.update([]).isEmpty) }
    let events = counter.update([Self.object(1, at: (150, 180))])
    #expect(events.map(\.identity) == [1, 3, 6, 9])
    #expect(events.map(\.kind) == [.entered, .vanished, .vanished, .vanished])
  }

  @Test func `a forgotten object vanishes at once, and a known one is kept as long`()
    throws
  {
    var counter = try Self.counter()
    counter.update([Self.object(1, at: (150, 180)), Self.object(2, at: (150, 180))], known: [1, 2])
    #expect(counter.update([], known: [1, 2]).isEmpty)
    let events = counter.update([Self.object(1, at: (150, 180))], known: [1])
    #expect(events == [ZoneEvent(identity: 2, kind: .vanished, classIndex: nil)])
    // Five times the memory of counters that get no list.
    for _ in 0..<50 { #expect(counter.update([], known: [1]).isEmpty) }
    #expect(counter.inside == [1])
    // An object seen in this frame is known in this frame.
    #expect(counter.update([Self.object(3, at: (150, 180))], known: []).map(\.identity) == [3, 1])
    #expect(counter.update([], known: []).map(\.kind) == [.vanished])
    #expect(counter.counts.inside == 0 && counter.counts.vanished == 3 && counter.rememberedCount == 0)
  }

  @Test(arguments: TrackerKind.allCases, [5.0, 10, 30, 60])
  func `no more are inside than the tracker knows`(_ kind: TrackerKind, rate: Double) throws {
    var tracker = try kind.makeTracker(frameRate: rate)
    var counter = try ZoneCounter(Self.points([(0, 0), (500, 0), (500, 500), (0, 500)]))
    var number = 0
    func step(_ boxes: [BoundingBox]) {
      let answers = tracker.update(
        boxes.map { TrackingDetection(box: $0, score: 0.95) }, at: FrameTime(number: number))
      let objects = answers.compactMap { answer in
        answer.identity.map { CountedObject(identity: $0, box: answer.box) }
      }
      let known = tracker.knownIdentities
      counter.update(objects, known: known)
      #expect(known != nil && counter.counts.inside <= known?.count ?? 0)
      #expect(Set(counter.inside).isSubset(of: Set(known ?? [])))
    }
    for _ in 0..<20 {
      number += 1
      step([BoundingBox(x: 100, y: 2 * Double(number), width: 40, height: 60)])
    }
    #expect(counter.counts.inside == 1)
    // A gap in the numbers counts as empty frames.
    number += 20
    for _ in 0..<60 {
      number += 1
      step([])
    }
    #expect(counter.counts.inside == 0 && counter.counts.vanished == counter.counts.entered)
  }

  @Test func `memory stays bounded on an endless stream`() throws {
    var counter = try Self.counter()
    for frame in 0..<5000 {
      counter.update((0..<4).map { Self.object(frame * 4 + $0, at: (150, 180)) })
      #expect(counter.rememberedCount <= 4 * 11)
    }
    #expect(counter.counts.distinct == 20_000)
    #expect(counter.counts.inside == 44)
  }

  @Test func `random points are inside by the sum of angles`() throws {
    let polygon = try ZonePolygon(Self.points(Self.outline))
    var random = SeededGenerator(seed: 11)
    for _ in 0..<2000 {
      let point = PixelPoint(x: random.number(80...220), y: random.number(80...220))
      let isInU =
        (100...200).contains(point.x) && (100...200).contains(point.y)
        && !((130...170).contains(point.x) && point.y < 160)
      #expect((polygon.distance(to: point) == 0) == isInU, "\(point)")
    }
  }

  struct BadZone: CustomTestStringConvertible {
    let name: String
    let corners: [(Double, Double)]
    let text: String
    var testDescription: String { name }
  }

  static let badZones = [
    BadZone(name: "empty", corners: [], text: "The zone has 0 corners; 3 to 1000 expected"),
    BadZone(name: "two", corners: [(0, 0), (1, 1)], text: "The zone has 2 corners; 3 to 1000 expected"),
    BadZone(
      name: "too many", corners: (0..<1001).map { (Double($0), Double($0 * $0)) },
      text: "The zone has 1001 corners; 3 to 1000 expected"),
    BadZone(
      name: "NaN", corners: [(0, 0), (1, .nan), (5, 5)],
      text: "Corner 2 of the zone is (1.0, nan); numbers within ±1000000.0 expected"),
    BadZone(
      name: "huge", corners: [(0, 0), (1, 1), (1e9, 5)],
      text: "Corner 3 of the zone is (1000000000.0, 5.0); numbers within ±1000000.0 expected"),
    BadZone(
      name: "repeated corner", corners: [(0, 0), (9, 0), (9, 0), (9, 9)],
      text: "Corner 2 of the zone, (9.0, 0.0), is the same as the next"),
    BadZone(
      name: "closed twice", corners: [(0, 0), (9, 0), (9, 9), (0, 0)],
      text: "Corner 4 of the zone, (0.0, 0.0), is the same as the next"),
    BadZone(
      name: "flat", corners: [(0, 0), (5, 5), (9, 9)],
      text: "The zone's 3 corners lie on one line, from (0.0, 0.0)"),
    BadZone(
      name: "bow tie", corners: [(0, 0), (10, 10), (10, 0), (0, 10)],
      text: "The zone crosses itself: the edge from (0.0, 0.0) to (10.0, 10.0) meets the edge from"
        + " (10.0, 0.0) to (0.0, 10.0)"),
    BadZone(
      name: "corner on another edge", corners: [(0, 0), (10, 0), (10, 10), (5, 0), (0, 10)],
      text: "The zone crosses itself: the edge from (0.0, 0.0) to (10.0, 0.0) meets the edge from"
        + " (10.0, 10.0) to (5.0, 0.0)"),
    BadZone(
      name: "spike", corners: [(0, 0), (10, 0), (5, 0), (5, 10)],
      text: "The zone turns back on itself at corner 2, (10.0, 0.0)"),
  ]

  @Test(arguments: badZones) func `an impossible zone is rejected`(_ zone: BadZone) {
    let error = #expect(throws: CountingError.self) { try ZoneCounter(Self.points(zone.corners)) }
    #expect(error?.code == .invalidZone)
    #expect(error?.message == zone.text)
    #expect(error?.remedy.description.isEmpty == false)
  }

  @Test func `a corner in the middle of a straight edge is allowed`() throws {
    let zone = try Self.counter([(0, 0), (5, 0), (10, 0), (10, 10), (0, 10)])
    #expect(zone.corners.count == 5)
  }
}
