// SPDX-License-Identifier: Apache-2.0

public import FoveaGeometry

/// The recent positions of objects, for the trails of an `OverlayItem`.
///
/// Memory is bounded: the numbers of trails and of points per trail are limited, and a trail is removed when
/// its object has not been seen for the length of a trail.
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

  /// The limits of trails.
  package let options: TrailOptions
  private var trails: [Int: Trail] = [:]
  private var latest = -Double.infinity

  /// Creates an empty history.
  /// - Throws: `invalid-style` for an option that is out of range.
  public init(options: TrailOptions = TrailOptions()) throws(RenderError) {
    try options.validate()
    self.options = options
  }

  /// Adds the objects of one frame; call it for frames without objects too.
  ///
  /// Boxes that are empty or not finite add no point.
  /// - Parameters:
  ///   - objects: Identities and boxes, in pixels of the frame.
  ///   - seconds: The time of the frame. A time that is not finite, or earlier than the previous one because
  ///     a video restarted, clears all trails.
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

  /// Returns the positions of an object, the oldest first; empty for an unknown object.
  public func trail(of identity: Int) -> [PixelPoint] { trails[identity]?.points ?? [] }

  /// The number of objects with a trail.
  package var count: Int { trails.count }
}
