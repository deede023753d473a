// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore
import FoveaFormats

/// The retained messages about a source: whether it has frames, and what is there.
struct MQTTSourceReport: Sendable {
  typealias Instant = ContinuousClock.Instant

  /// The time without a frame after which a source is offline, and the least time between two changes of
  /// that: a source that comes and goes changes its status seldom.
  private static let patience = Duration.seconds(10)
  /// The least time between two states.
  private static let interval = Duration.seconds(1)

  let topics: MQTTTopics
  let source: StreamEntry
  /// The number of frames when a frame was last seen, and the moment.
  private var frames = 0
  private var lastFrame: Instant?
  private var status: String?
  private var lastChange: Instant?
  private var state: String?
  private var stateMoment: Instant?

  init(_ topics: MQTTTopics, _ source: StreamEntry) {
    self.topics = topics
    self.source = source
  }

  /// Forgets what was published: the next messages are whole.
  mutating func restart() { (status, state, stateMoment) = (nil, nil, nil) }

  /// Returns the messages that have become necessary.
  mutating func messages(about reading: StreamReading, at now: Instant) -> [MQTTMessage] {
    if reading.status.frames != frames { (frames, lastFrame) = (reading.status.frames, now) }
    var messages: [MQTTMessage] = []
    let isOnline = lastFrame.map { now - $0 < Self.patience } ?? false
    let newStatus = isOnline ? "online" : "offline"
    if newStatus != status, status == nil || lastChange.map({ now - $0 >= Self.patience }) ?? true {
      if status != nil { lastChange = now }
      status = newStatus
      messages.append(MQTTMessage(topic: topics.topic(source.name, "status"), payload: newStatus))
    }
    guard stateMoment.map({ now - $0 >= Self.interval }) ?? true else { return messages }
    let newState = text(of: reading)
    if newState != state {
      (state, stateMoment) = (newState, now)
      messages.append(MQTTMessage(topic: topics.topic(source.name, "state"), payload: newState))
    }
    return messages
  }

  private func text(of reading: StreamReading) -> String {
    let names = ShapeNames(
      lines: source.settings.lines.map(\.name), zones: source.settings.zones.map(\.name))
    let counts = reading.counts
    // The objects of the last frame are gone with the source.
    let objects = reading.status.stage == .running ? reading.objects : []
    let labels = Dictionary(grouping: objects.compactMap(\.self)) { $0 }.mapValues(\.count)
    return JSONText.text(capacity: 512) { json in
      json.member("source", reading.status.stage.rawValue)
      json.member("objects", objects.count)
      json.member("labels") { json in
        for (label, count) in labels.sorted(by: { $0.key < $1.key }) {
          json.key(named: label)
          json.integer(count)
        }
      }
      json.member("zones") { json in
        for (index, zone) in names.allZones.enumerated() {
          let stays = counts.flatMap { $0.stays.indices.contains(index) ? $0.stays[index] : nil }
          json.key(named: zone)
          json.object { json in
            json.member("inside", counts?.zones[index].inside ?? 0)
            json.member("queue", stays?.queue ?? 0)
            json.member("longest", stays?.longest ?? 0, places: 1)
          }
        }
      }
      json.member("lines") { json in
        for (index, line) in names.allLines.enumerated() {
          json.key(named: line)
          json.object { json in
            json.member("in", counts?.lines[index].in ?? 0)
            json.member("out", counts?.lines[index].out ?? 0)
          }
        }
      }
    }
  }
}
#endif
