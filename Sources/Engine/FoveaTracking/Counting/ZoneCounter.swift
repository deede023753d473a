// SPDX-License-Identifier: Apache-2.0

public import FoveaGeometry

/// Counts the objects that enter, leave and are inside a zone of the image.
///
/// An object is inside if its anchor point is inside the zone or on its edge. It has left when the point is
/// farther outside than a tolerance, so an object that jitters at the edge enters once. One that jumps over
/// the zone between two frames does not count, because it was never inside. An unseen object keeps its state
/// until the tracker forgets it; then it has vanished. So if each frame comes with the known identities,
/// there are never more objects inside than the tracker knows.
///
/// ```swift
/// let corners = [(40, 300), (400, 300), (460, 420), (20, 420)].map { PixelPoint(x: $0.0, y: $0.1) }
/// var queue = try ZoneCounter(corners)
/// for (objects, known) in frames { queue.update(objects, known: known) }
/// print(queue.counts.inside, queue.counts.distinct)
/// ```
public struct ZoneCounter: Sendable {
  private struct Visit {
    var identity: Int
    var isInside = false
    /// Whether it was ever inside.
    var wasInside = false
    /// The class that the visit counts for: the one at entry.
    var classIndex: Int?
  }

  /// The corners of the zone in order, in pixels of the frame; the last is connected to the first.
  public var corners: [PixelPoint] { polygon.corners }
  /// The counting options.
  package let options: CountingOptions
  /// The counts of all objects.
  public private(set) var counts = ZoneCounts()
  /// The counts by class, for objects that have one; a visit counts for the object's class at entry.
  public private(set) var countsByClass: [Int: ZoneCounts] = [:]
  /// The number of ignored boxes: empty ones, those with an edge that is not finite or beyond a million
  /// pixels, and the second box of an identity in one frame.
  public private(set) var ignoredBoxes = 0

  /// The distance in pixels that counts as on the edge: a point on a slanted edge seldom has exactly 0.
  private static let edgeWidth = 1e-9
  private let polygon: ZonePolygon
  private var memory: FrameMemory<Visit>

  /// Creates a counter for a zone.
  /// - Parameters:
  ///   - corners: 3 to 1,000 corners in order, clockwise or not, in pixels of the frame, within ±1,000,000.
  ///     The zone may be concave; its edges must not touch each other.
  ///   - options: The counting options.
  /// - Throws: `invalid-zone` if the corners do not form a simple polygon; `invalid-counting-option`.
  public init(_ corners: [PixelPoint], options: CountingOptions = CountingOptions()) throws(CountingError) {
    try options.validate()
    polygon = try ZonePolygon(corners)
    self.options = options
    memory = FrameMemory(frames: options.memoryFrames)
  }

  /// The identities that are inside, ascending.
  public var inside: [Int] { memory.identities { $0.isInside } }

  /// Processes the objects of one frame; call it for frames without objects as well.
  ///
  /// Use `update(_:known:)` if the tracker reports its known identities.
  /// - Parameter objects: The objects of the frame, each identity once.
  /// - Returns: The events: objects that entered or left in the order of `objects`, then those that vanished,
  ///   by identity.
  /// - Complexity: O(objects × corners); memory for the objects seen in the last `memoryFrames` frames.
  @discardableResult
  public mutating func update(_ objects: [CountedObject]) -> [ZoneEvent] { update(objects, known: nil) }

  /// Processes the objects of a frame and the known identities; call it for frames without objects as well.
  /// - Parameters:
  ///   - objects: The objects of the frame, each identity once.
  ///   - known: The identities that the tracker knows after the frame, including unseen ones:
  ///     `TrackedFrame.knownIdentities`, `MultiObjectTracker.knownIdentities`. All others vanish at once. Nil
  ///     keeps each for `CountingOptions.memoryFrames`.
  /// - Returns: The events: objects that entered or left in the order of `objects`, then those that vanished,
  ///   by identity.
  /// - Complexity: O(objects × corners + known); memory for known objects.
  @discardableResult
  public mutating func update(_ objects: [CountedObject], known: [Int]?) -> [ZoneEvent] {
    var events: [ZoneEvent] = []
    memory.beginFrame()
    for object in objects {
      guard let point = object.anchor(options.anchor), memory.isNewInFrame(object.identity) else {
        ignoredBoxes += 1
        continue
      }
      var visit = memory[object.identity] ?? Visit(identity: object.identity)
      let distance = polygon.distance(to: point)
      if !visit.isInside, distance <= Self.edgeWidth {
        visit.classIndex = object.classIndex
        count(.entered, of: visit, isFirst: !visit.wasInside, into: &events)
        visit.isInside = true
        visit.wasInside = true
      } else if visit.isInside, distance > max(Self.edgeWidth, options.tolerance * object.extent) {
        count(.left, of: visit, isFirst: false, into: &events)
        visit.isInside = false
      }
      memory.store(visit, for: object.identity)
    }
    for visit in memory.endFrame(known: known.map(Set.init)) where visit.isInside {
      count(.vanished, of: visit, isFirst: false, into: &events)
    }
    return events
  }

  /// Returns whether a point is inside the zone.
  package func contains(_ point: PixelPoint) -> Bool { polygon.contains(point) }

  /// The number of identities that are currently remembered.
  var rememberedCount: Int { memory.count }

  private mutating func count(
    _ kind: ZoneEvent.Kind, of visit: Visit, isFirst: Bool, into events: inout [ZoneEvent]
  ) {
    counts.add(kind, isFirst: isFirst)
    if let classIndex = visit.classIndex {
      countsByClass[classIndex, default: ZoneCounts()].add(kind, isFirst: isFirst)
    }
    events.append(ZoneEvent(identity: visit.identity, kind: kind, classIndex: visit.classIndex))
  }
}
