// SPDX-License-Identifier: Apache-2.0

public import FoveaGeometry

/// Remembers where objects were in the last seconds, for the trails of an `OverlayItem`.
///
/// Memory is bounded: a trail has so many points at most, there are so many trails at most, and one ends when its object
/// has not been seen for as long as trails reach back.
///
/// ```swift
/// var history = try TrailHistory()
/// for frame in frames {
///   history.update(frame.objects.map { ($0.identity, $0.box) }, at: frame.seconds)
///   let trail = history.trail(of: frame.objects[0].identity)
/// }
/// ```
public struct TrailHistory: Sendable {
  private struct Trail {
    var points: [PixelPoint] = []
    var seconds: [Double] = []

    mutating func drop(until oldest: Double, maximum: Int) {
      let old = seconds.prefix { $0 < oldest }.count
      let count = max(old, points.count - maximum)
      guard count > 0 else { return }
      points.removeFirst(count)
      seconds.removeFirst(count)
    }
  }

  /// How long trails are.
  public let options: TrailOptions
  private var trails: [Int: Trail] = [:]
  private var latest = -Double.infinity

  /// Makes an empty history.
  /// - Throws: `invalid-style` for an option that is out of its range.
  public init(options: TrailOptions = TrailOptions()) throws(RenderError) {
    try options.validate()
    self.options = options
  }

  /// Takes the objects of one frame; call it for frames without objects as well.
  ///
  /// Boxes that are empty or not finite leave no point.
  /// - Parameters:
  ///   - objects: Identities and boxes, in pixels of the frame.
  ///   - seconds: When the frame is shown. A time that goes back, as when a video begins again, or that is not finite
  ///     begins all trails again.
  public mutating func update(_ objects: some Sequence<(identity: Int, box: BoundingBox)>, at seconds: Double)
  {
    if !(seconds >= latest && seconds.isFinite) { trails.removeAll(keepingCapacity: true) }
    latest = seconds.isFinite ? seconds : -.infinity
    let oldest = latest - options.seconds
    for identity in trails.keys { trails[identity]?.drop(until: oldest, maximum: options.maximumPoints - 1) }
    trails = trails.filter { !$0.value.points.isEmpty }
    for object in objects {
      let point = options.anchor.point(of: object.box)
      guard !object.box.isEmpty, point.isFinite else { continue }
      guard trails[object.identity] != nil || trails.count < options.maximumTrails else { continue }
      trails[object.identity, default: Trail()].points.append(point)
      trails[object.identity]?.seconds.append(latest)
    }
  }

  /// Where an object was, the oldest point first; empty for one that is not known.
  public func trail(of identity: Int) -> [PixelPoint] { trails[identity]?.points ?? [] }

  /// How many objects have a trail.
  public var count: Int { trails.count }
}
