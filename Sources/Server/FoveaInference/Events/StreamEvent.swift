// SPDX-License-Identifier: Apache-2.0
#if Server
import Fovea
import FoveaCore
import FoveaFormats
import FoveaGeometry
import FoveaTracking

/// A message about an object of a source, with its moments.
struct StreamEvent: Sendable {
  let event: ObjectEvent
  /// The size of the upright frame.
  let size: PixelSize?
  /// The moment of the source's second 0, in milliseconds since 1970, as of the frame of the message.
  let origin: Int64
  /// The moment of the object's start as RFC 3339.
  let startTime: String

  /// Returns the line of the message in a journal.
  func line(number: Int, source: String, hasSnapshot: Bool = false) -> String {
    EventJSONWriter(named: source, start: origin)
      .text(for: event, in: size, number: number, startTime: startTime, hasSnapshot: hasSnapshot)
  }

  /// Returns the id of the event.
  func id(in source: String) -> String {
    EventJSONWriter(named: source, start: origin).id(
      startTime: startTime, startIdentity: event.startIdentity)
  }
}

/// The events of a source's followed objects.
///
/// Durations are those of the source's clock; moments are the machine's, which may be set back.
struct FrameEvents: Sendable {
  /// Nil before the first frame, and after a restart.
  private var events: ObjectEvents?
  private var messages: [StreamEvent] = []
  /// The moments of the starts, by life.
  private var starts: [Int: String] = [:]
  /// The choices of snapshots, by life.
  private var choices: [Int: SnapshotChoice] = [:]
  /// The starts of the events whose snapshot is the last frame.
  private var shown: [(time: String, identity: Int)] = []
  /// The number of objects without an event, since the last call of `takeRefused`.
  private var refused = 0
  /// The number of them that `events` has counted.
  private var refusedBefore = 0
  private var size: PixelSize?
  /// The moment of the last frame, in milliseconds since 1970.
  private var moment: Int64 = 0

  init() {}

  /// Processes the objects of the next frame.
  /// - Parameters:
  ///   - record: The frame with all followed objects.
  ///   - counters: The lines and zones, in pixels of the stored frame.
  ///   - threshold: The median score from which an object starts an event.
  ///   - moment: The moment of the frame, in milliseconds since 1970.
  /// - Throws: `invalid-line` or `invalid-zone`.
  mutating func update(
    _ record: FrameRecord, in counters: FrameCounters, threshold: Double, at moment: Int64
  ) throws(FoveaError) {
    shown = []
    guard let seconds = record.seconds, let stored = record.size else { return }
    if events == nil {
      events = try counters.rotated(by: record.orientation, stored: stored).events(threshold: threshold)
    }
    let upright = record.upright()
    (size, self.moment) = (upright.size, moment)
    add(
      events?.update(
        upright.observed, frame: record.number, seconds: seconds, isWatched: upright.isWatched) ?? [])
    choose(frame: record.number, at: seconds)
    let count = events?.refused ?? 0
    refused += count - refusedBefore
    refusedBefore = count
  }

  /// Finishes the open events; the next frame starts again.
  mutating func finish(_ reason: ObjectEvent.Reason) {
    add(events?.finish(reason) ?? [])
    events = nil
    (starts, choices, shown, refusedBefore) = ([:], [:], [], 0)
  }

  /// Returns the messages since the last call.
  mutating func take() -> [StreamEvent] {
    defer { messages = [] }
    return messages
  }

  /// Returns the ids of the events whose snapshot is the last frame, once.
  mutating func takeShown(in source: String) -> [String] {
    defer { shown = [] }
    let writer = EventJSONWriter(named: source, start: 0)
    return shown.map { writer.id(startTime: $0.time, startIdentity: $0.identity) }
  }

  /// Returns the number of objects that have no event, because 64 were open, since the last call.
  mutating func takeRefused() -> Int {
    defer { refused = 0 }
    return refused
  }

  private mutating func add(_ found: [ObjectEvent]) {
    for event in found {
      let origin = moment - EventJSONWriter.milliseconds(event.reportedSeconds)
      let startTime =
        starts[event.life]
        ?? CivilDate.text(milliseconds: origin + EventJSONWriter.milliseconds(event.startSeconds))
      starts[event.life] = event.kind == .end ? nil : startTime
      if event.kind == .end { choices[event.life] = nil }
      messages.append(StreamEvent(event: event, size: size, origin: origin, startTime: startTime))
    }
  }

  /// Chooses the events whose snapshot is a frame.
  private mutating func choose(frame: Int, at seconds: Double) {
    guard let size else { return }
    for seen in events?.seen(in: frame) ?? [] {
      let quality = SightQuality(seen.object.box, score: seen.object.score, in: size)
      guard let time = starts[seen.life],
        choices[seen.life, default: SnapshotChoice()].update(quality, at: seconds)
      else { continue }
      shown.append((time, seen.startIdentity))
    }
  }
}
#endif
