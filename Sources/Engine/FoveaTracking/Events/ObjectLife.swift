// SPDX-License-Identifier: Apache-2.0

/// The state of one object between its first frame and its end.
struct ObjectLife: Sendable {
  /// A visit to a zone.
  struct Visit: Sendable {
    /// The index of the zone.
    let zone: Int
    /// The time of the first frame inside.
    let since: Double
    var hasDwelt = false
  }

  /// The `start` of a life.
  struct Start: Sendable {
    let seconds: Double
    let time: Double
    let identity: Int
  }

  let number: Int
  /// The object as it was last seen; its label is that of the first frame.
  private(set) var object: ObservedObject
  private(set) var topScore: Double
  private(set) var lastFrame = 0
  private(set) var lastSeconds = 0.0
  /// The clock's time when it was last seen.
  private(set) var lastTime = 0.0
  /// The watched seconds since it was last seen.
  var unseen = 0.0
  private var scores: [Double] = []
  private var foot: StillFoot
  /// Nil before the `start`.
  var start: Start?
  /// True if it may not start, because too many events are open.
  var isRefused = false
  var sequence = 0
  /// The visits at present, by zone.
  var visits: [Visit] = []

  init(number: Int, _ object: ObservedObject, at time: Double) {
    self.number = number
    self.object = object
    topScore = object.score
    foot = StillFoot(object.box, at: time, stillAfter: 5)
  }

  var isStill: Bool { foot.isStill }

  /// The time it may be unseen, in watched seconds.
  var patience: Double { isStill ? 60 : 1 }

  /// The median of the last five scores.
  var median: Double {
    let sorted = scores.sorted()
    let middle = sorted.count / 2
    return sorted.count.isMultiple(of: 2) ? (sorted[middle - 1] + sorted[middle]) / 2 : sorted[middle]
  }

  /// Stores the object of a frame.
  mutating func see(_ seen: ObservedObject, frame: Int, seconds: Double, time: Double) {
    let label = object.label
    object = seen
    object.label = label
    topScore = max(topScore, seen.score)
    scores = Array(scores.suffix(4)) + [seen.score]
    (lastFrame, lastSeconds, lastTime, unseen) = (frame, seconds, time, 0)
  }

  /// Continues under a new identity: a still object is still at the box of the new one.
  mutating func resume(at box: BoundingBox) { foot.rest(at: box) }

  /// Updates whether the foot is still.
  /// - Returns: `still` or `moved` if that has changed.
  mutating func settle(at time: Double) -> ObjectEvent.Kind? {
    guard foot.move(to: object.box, at: time) else { return nil }
    return foot.isStill ? .still : .moved
  }
}
