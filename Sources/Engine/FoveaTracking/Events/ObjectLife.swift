// SPDX-License-Identifier: Apache-2.0

import FoveaGeometry

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
    foot = StillFoot(object.box, at: time)
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
  mutating func settle(at time: Double) -> ObjectEvent.Kind? { foot.move(to: object.box, at: time) }
}

/// A foot point that is still once it has stayed at its place for long enough.
private struct StillFoot: Sendable {
  /// The time until it is still, in seconds.
  private static let time = 5.0
  /// The distance from its place, as a fraction of the square root of the box's area.
  private static let tolerance = 0.05

  private(set) var isStill = false
  private var place: PixelPoint
  private var since: Double

  init(_ box: BoundingBox, at time: Double) {
    place = BoxAnchor.bottomCenter.point(of: box)
    since = time
  }

  mutating func rest(at box: BoundingBox) { place = BoxAnchor.bottomCenter.point(of: box) }

  mutating func move(to box: BoundingBox, at time: Double) -> ObjectEvent.Kind? {
    let foot = BoxAnchor.bottomCenter.point(of: box)
    guard (foot - place).length <= Self.tolerance * box.area.squareRoot() else {
      (place, since) = (foot, time)
      defer { isStill = false }
      return isStill ? .moved : nil
    }
    guard !isStill, time - since >= Self.time - ObjectEvents.rounding else { return nil }
    isStill = true
    return .still
  }
}
