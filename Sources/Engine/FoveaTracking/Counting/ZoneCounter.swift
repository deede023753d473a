// SPDX-License-Identifier: Apache-2.0

public import FoveaGeometry

/// Counts objects that enter, leave and are in a zone of the image.
///
/// An object is inside when its anchor point is inside the zone or on its edge. It has left when the point is farther
/// outside than a tolerance, so one that trembles at the edge enters once. One that jumps over the zone between two
/// frames was never seen inside and does not count. One that is not seen stays where it was until the tracker forgets
/// it; then it has vanished. So no more are inside than the tracker knows, where each frame comes with who that is.
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
    /// Whether it was inside at any time.
    var wasInside = false
    /// The class that the visit counts for: the one it entered with.
    var classIndex: Int?
  }

  /// The corners of the zone in order, in pixels of the frame; the last is joined to the first.
  public var corners: [PixelPoint] { polygon.corners }
  /// How it counts.
  public let options: CountingOptions
  /// The counts of all objects.
  public private(set) var counts = ZoneCounts()
  /// The counts by class, for objects that have one; a visit counts for the class that the object entered with.
  public private(set) var countsByClass: [Int: ZoneCounts] = [:]
  /// How many boxes were left out so far: empty ones, those with an edge that is not finite or beyond a million pixels,
  /// and the second of an identity in one frame.
  public private(set) var ignoredBoxes = 0

  /// What counts as on the edge, in pixels: the distance of a point on a slanted edge is seldom exactly 0.
  private static let edgeWidth = 1e-9
  private let polygon: ZonePolygon
  private var memory: FrameMemory<Visit>

  /// Makes a counter for a zone.
  /// - Parameters:
  ///   - corners: 3 to 1,000 corners in order, clockwise or not, in pixels of the frame, a million at most. The zone may
  ///     be concave; its edges must not touch each other.
  ///   - options: How it counts.
  /// - Throws: `invalid-zone` for corners that span no simple polygon; `invalid-counting-option`.
  public init(_ corners: [PixelPoint], options: CountingOptions = CountingOptions()) throws(CountingError) {
    try options.validate()
    polygon = try ZonePolygon(corners)
    self.options = options
    memory = FrameMemory(frames: options.memoryFrames)
  }

  /// The identities that are inside, rising.
  public var inside: [Int] { memory.identities { $0.isInside } }

  /// Takes the objects of one frame; call it for frames without objects as well.
  ///
  /// Use `update(_:known:)` if the tracker says whom it knows.
  /// - Parameter objects: The objects of the frame, each identity once.
  /// - Returns: What happened: who entered or left in the order of `objects`, then who vanished, by identity.
  /// - Complexity: O(objects × corners); memory for objects that were seen in the last `memoryFrames` frames.
  @discardableResult
  public mutating func update(_ objects: [CountedObject]) -> [ZoneEvent] { update(objects, known: nil) }

  /// Takes the objects of one frame, and who may still come back; call it for frames without objects as well.
  /// - Parameters:
  ///   - objects: The objects of the frame, each identity once.
  ///   - known: The identities that the tracker knows after the frame, those that it does not see included:
  ///     `TrackedFrame.knownIdentities`, `MultiObjectTracker.knownIdentities`. All others vanish at once. Nil keeps each for
  ///     `CountingOptions.memoryFrames`.
  /// - Returns: What happened: who entered or left in the order of `objects`, then who vanished, by identity.
  /// - Complexity: O(objects × corners + known); memory for objects that are known.
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

  /// How many identities are remembered at the moment.
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
