// SPDX-License-Identifier: Apache-2.0

public import FoveaGeometry

/// Turns tracked objects into events: who came, which zone, which line, how long.
///
/// An event is one object's life, from a `start` to an `end`, and outlives the object's identity: if a
/// tracker loses an object that does not move and finds it again under a new identity, the event continues.
/// So a parked car is one event. Times are those of the frames.
///
/// ```swift
/// let drive = CountingZone("drive", corners, dwell: 15)
/// var events = try ObjectEvents(zones: [drive])
/// for frame in frames {
///   for event in events.update(frame.objects, frame: frame.number, seconds: frame.seconds) { print(event) }
/// }
/// for event in events.finish(.sourceEnded) { print(event) }
/// ```
public struct ObjectEvents: Sendable {
  /// The number of events that may be open at a time.
  static let openLimit = 64
  /// The error of sums of frame times, in seconds.
  static let rounding = 1e-6
  /// The longest step between two frames that counts as watched, in seconds: a source that was away was not
  /// watched.
  private static let longestStep = 1.0
  /// The overlap of a new object with a still one that is the same.
  private static let samePlace = 0.6

  /// The lines.
  public let lines: [CountingLine]
  /// The zones.
  public let zones: [CountingZone]
  /// The median of an object's last five scores from which it starts an event, 0…1.
  public let threshold: Double
  /// The number of objects without an event, because 64 were open.
  public private(set) var refused = 0

  var lives: [ObjectLife] = []
  /// The ended stays of each zone.
  var ended: [ZoneStays]
  private var lineCounters: [LineCounter]
  private var zoneCounters: [ZoneCounter]
  private(set) var clock = EventClock()
  private var lastNumber = 0
  private var seconds = 0.0

  /// Creates events for lines and zones.
  /// - Parameters:
  ///   - lines: The lines, each with its own name.
  ///   - zones: The zones, each with its own name.
  ///   - threshold: The median of an object's last five scores from which it starts an event, 0…1.
  ///   - options: The options of counting; `memoryFrames` has no effect.
  /// - Throws: `invalid-line` or `invalid-zone` for a shape that cannot be counted, a name with other
  ///   characters than A to Z, digits, `_` and `-`, two equal names, and a dwell outside its range;
  ///   `invalid-counting-option`.
  public init(
    lines: [CountingLine] = [], zones: [CountingZone] = [], threshold: Double = 0.5,
    options: CountingOptions = CountingOptions()
  ) throws(CountingError) {
    try ShapeName.check(lines.map(\.name), .invalidLine)
    try ShapeName.check(zones.map(\.name), .invalidZone)
    for zone in zones { try zone.checkDwell() }
    (self.lines, self.zones, self.threshold) = (lines, zones, threshold)
    lineCounters = try lines.map { (line) throws(CountingError) in
      try LineCounter(from: line.start, to: line.end, options: options)
    }
    zoneCounters = try zones.map { (zone) throws(CountingError) in
      try ZoneCounter(zone.corners, options: options)
    }
    ended = zones.map { _ in ZoneStays() }
  }

  /// Processes the objects of one frame; call it for frames without objects as well.
  /// - Parameters:
  ///   - objects: The objects of the frame, each identity once; one with an empty box, or with an edge that
  ///     is not finite or beyond a million pixels, is ignored.
  ///   - frame: The number of the frame.
  ///   - seconds: The time of the frame in seconds; a step back counts as no time.
  ///   - isWatched: True if the objects of the frame were looked for. In other frames, objects are where they
  ///     were, and are not missed; `objects` is not read.
  /// - Returns: The messages: first each `end`, then those of each object in the order of `objects`.
  public mutating func update(
    _ objects: [ObservedObject], frame: Int, seconds: Double, isWatched: Bool = true
  ) -> [ObjectEvent] {
    let step = clock.advance(to: seconds)
    if seconds.isFinite { self.seconds = seconds }
    guard isWatched else {
      var events: [ObjectEvent] = []
      for index in lives.indices where lives[index].unseen == 0 {
        settle(index, frame: frame, into: &events)
      }
      return events
    }
    for index in lives.indices { lives[index].unseen += min(step, Self.longestStep) }
    let seen = assign(objects, frame: frame)
    var events = endMissing()
    let sights = count(seen)
    for life in seen {
      // An object that was seen has not ended, but others may have moved its index.
      guard let index = lives.firstIndex(where: { $0.number == life }) else { continue }
      report(index, sights, frame: frame, into: &events)
    }
    return events
  }

  /// Finishes all events, and starts again as if no object had been seen; numbers of lives go on.
  /// - Parameter reason: The reason.
  /// - Returns: An `end` for each open event, in the order of their starts.
  public mutating func finish(_ reason: ObjectEvent.Reason) -> [ObjectEvent] {
    var events: [ObjectEvent] = []
    for index in lives.indices { end(index, reason, into: &events) }
    lives = []
    forget()
    return events
  }

  // MARK: Lives

  /// Finds the life of each object, or begins one.
  /// - Returns: The numbers of the lives, in the order of the objects.
  private mutating func assign(_ objects: [ObservedObject], frame: Int) -> [Int] {
    let usable = objects.filter { object in
      CountedObject(identity: object.identity, box: object.box).anchor(.bottomCenter) != nil
    }
    let identities = Set(usable.map(\.identity))
    var seen: [Int] = []
    for object in usable {
      let index: Int
      if let known = lives.firstIndex(where: { $0.object.identity == object.identity }) {
        index = known
      } else if let still = stillLife(at: object, besides: identities) {
        index = still
        lives[index].resume(at: object.box)
      } else {
        lastNumber += 1
        lives.append(ObjectLife(number: lastNumber, object, at: clock.now))
        index = lives.count - 1
      }
      guard !seen.contains(lives[index].number) else { continue }
      lives[index].see(object, frame: frame, seconds: seconds, time: clock.now)
      seen.append(lives[index].number)
    }
    return seen
  }

  /// Returns the index of the still event that an object with a new identity continues.
  private func stillLife(at object: ObservedObject, besides identities: Set<Int>) -> Int? {
    var best: (index: Int, overlap: Double)?
    for (index, life) in lives.enumerated() {
      guard life.isStill, life.start != nil, life.object.label == object.label,
        life.unseen <= life.patience + Self.rounding, !identities.contains(life.object.identity)
      else { continue }
      let overlap = life.object.box.iou(with: object.box)
      if overlap >= Self.samePlace, overlap > best?.overlap ?? 0 { best = (index, overlap) }
    }
    return best?.index
  }

  /// Finishes the lives that were not seen for too long.
  private mutating func endMissing() -> [ObjectEvent] {
    func isGone(_ life: ObjectLife) -> Bool { life.unseen > life.patience + Self.rounding }
    guard lives.contains(where: isGone) else { return [] }
    var events: [ObjectEvent] = []
    for index in lives.indices where isGone(lives[index]) { end(index, .gone, into: &events) }
    lives.removeAll(where: isGone)
    return events
  }

  private mutating func end(_ index: Int, _ reason: ObjectEvent.Reason, into events: inout [ObjectEvent]) {
    let life = lives[index]
    guard life.start != nil else { return }
    var event = message(.end, about: index, frame: life.lastFrame, at: life.lastTime)
    event.seconds = life.lastSeconds
    event.reason = reason
    events.append(event)
    for visit in life.visits { ended[visit.zone].add(max(0, life.lastTime - visit.since)) }
  }

  /// Makes the counters forget all lives.
  private mutating func forget() {
    for index in lineCounters.indices { lineCounters[index].update([], known: []) }
    for index in zoneCounters.indices { zoneCounters[index].update([], known: []) }
  }

  // MARK: Lines and zones

  /// The objects that crossed each line, and that entered or left each zone.
  private typealias Sights = (crossings: [[LineCrossing]], visits: [[ZoneEvent]])

  /// Counts the lives seen in a frame: an object with a new identity is the same to lines and zones.
  private mutating func count(_ seen: [Int]) -> Sights {
    let known = lives.map(\.number)
    let present = seen.compactMap { number in lives.first { $0.number == number } }
    func counted(_ lives: [ObjectLife]) -> [CountedObject] {
      lives.map { CountedObject(identity: $0.number, box: $0.object.box) }
    }
    let all = counted(present)
    let crossings = lineCounters.indices.map { lineCounters[$0].update(all, known: known) }
    let visits = zoneCounters.indices.map { index in
      let labels = zones[index].labels
      let visitors =
        labels.isEmpty ? all : counted(present.filter { $0.object.label.map(labels.contains) ?? false })
      return zoneCounters[index].update(visitors, known: known)
    }
    return (crossings, visits)
  }

  /// Reports what an object did in a frame.
  private mutating func report(
    _ index: Int, _ sights: Sights, frame: Int, into events: inout [ObjectEvent]
  ) {
    let number = lives[index].number
    if lives[index].start == nil {
      pass(index, sights, frame: frame)
      begin(index, frame: frame, into: &events)
      settle(index, frame: frame, into: &events)
      return
    }
    for (line, crossings) in sights.crossings.enumerated() {
      for crossing in crossings where crossing.identity == number {
        var event = message(.crossed, about: index, frame: frame, at: clock.now)
        (event.line, event.direction) = (lines[line].name, crossing.direction)
        events.append(event)
      }
    }
    for (zone, visits) in sights.visits.enumerated() {
      for visit in visits where visit.identity == number {
        if visit.kind == .entered {
          events.append(enter(zone, index, frame: frame))
        } else if let event = leave(zone, index, frame: frame) {
          events.append(event)
        }
      }
    }
    settle(index, frame: frame, into: &events)
  }

  /// Notes the visits of an object that has not started.
  private mutating func pass(_ index: Int, _ sights: Sights, frame: Int) {
    for (zone, visits) in sights.visits.enumerated() {
      for visit in visits where visit.identity == lives[index].number {
        lives[index].visits.removeAll { $0.zone == zone }
        if visit.kind == .entered { lives[index].visit(zone, since: clock.now) }
      }
    }
  }

  /// Starts the event of an object that is certain, with the zones that it is already in.
  private mutating func begin(_ index: Int, frame: Int, into events: inout [ObjectEvent]) {
    let life = lives[index]
    guard !life.isRefused, life.median >= threshold else { return }
    guard lives.count(where: { $0.start != nil }) < Self.openLimit else {
      lives[index].isRefused = true
      refused += 1
      return
    }
    let visits = life.visits
    lives[index].visits = []
    lives[index].start = ObjectLife.Start(
      seconds: seconds, time: clock.now, identity: life.object.identity)
    events.append(message(.start, about: index, frame: frame, at: clock.now))
    for visit in visits { events.append(enter(visit.zone, index, since: visit.since, frame: frame)) }
  }

  private mutating func enter(
    _ zone: Int, _ index: Int, since: Double? = nil, frame: Int
  ) -> ObjectEvent {
    let since = since ?? clock.now
    lives[index].visit(zone, since: since)
    var event = message(.entered, about: index, frame: frame, at: clock.now)
    (event.zone, event.dwell) = (zones[zone].name, clock.now - since)
    return event
  }

  private mutating func leave(_ zone: Int, _ index: Int, frame: Int) -> ObjectEvent? {
    guard let place = lives[index].visits.firstIndex(where: { $0.zone == zone }) else { return nil }
    let visit = lives[index].visits.remove(at: place)
    var event = message(.left, about: index, frame: frame, at: clock.now)
    (event.zone, event.dwell) = (zones[zone].name, clock.now - visit.since)
    ended[zone].add(clock.now - visit.since)
    return event
  }

  /// Reports the changes that need only time: `still`, `moved` and `dwell`.
  private mutating func settle(_ index: Int, frame: Int, into events: inout [ObjectEvent]) {
    let change = lives[index].settle(at: clock.now)
    guard lives[index].start != nil else { return }
    if let change { events.append(message(change, about: index, frame: frame, at: clock.now)) }
    for place in lives[index].visits.indices {
      let visit = lives[index].visits[place]
      guard !visit.hasDwelt, let limit = zones[visit.zone].dwell,
        clock.now - visit.since >= limit - Self.rounding
      else { continue }
      lives[index].visits[place].hasDwelt = true
      var event = message(.dwell, about: index, frame: frame, at: clock.now)
      (event.zone, event.dwell) = (zones[visit.zone].name, clock.now - visit.since)
      events.append(event)
    }
  }

  /// Returns the next message about an object; `time` is the clock's.
  private mutating func message(
    _ kind: ObjectEvent.Kind, about index: Int, frame: Int, at time: Double
  ) -> ObjectEvent {
    lives[index].sequence += 1
    let life = lives[index]
    return ObjectEvent(
      kind: kind, life: life.number, sequence: life.sequence, object: life.object, topScore: life.topScore,
      frame: frame, seconds: seconds, reportedSeconds: seconds,
      startSeconds: life.start?.seconds ?? seconds,
      startIdentity: life.start?.identity ?? life.object.identity,
      duration: max(0, time - (life.start?.time ?? time)), isStill: life.isStill,
      stays: life.visits.map { visit in
        ObjectEvent.Stay(zone: zones[visit.zone].name, seconds: max(0, time - visit.since))
      })
  }
}

extension ObjectEvents {
  /// The stays of objects in each zone, in the order of the zones; only objects with an event count.
  public var stays: [ZoneStays] {
    var stays = ended
    for life in lives where life.start != nil && life.unseen <= 1 + Self.rounding {
      for visit in life.visits {
        if life.isStill { stays[visit.zone].queue += 1 }
        stays[visit.zone].longest = max(stays[visit.zone].longest, clock.now - visit.since)
      }
    }
    return stays
  }

  /// Returns the objects with an event that were seen in the last frame, whose number is given, in the order
  /// in which they were first seen.
  package func seen(in frame: Int) -> [(life: Int, startIdentity: Int, object: ObservedObject)] {
    lives.compactMap { life in
      guard let start = life.start, life.lastFrame == frame else { return nil }
      return (life.number, start.identity, life.object)
    }
  }
}

extension ObjectLife {
  /// Adds a visit; visits stay in the order of the zones.
  fileprivate mutating func visit(_ zone: Int, since time: Double) {
    let place = visits.firstIndex { $0.zone > zone } ?? visits.count
    visits.insert(Visit(zone: zone, since: time), at: place)
  }
}
