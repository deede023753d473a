// SPDX-License-Identifier: Apache-2.0

package import Fovea
package import FoveaGeometry
package import FoveaTracking

/// The lines and zones of a run, in pixels of the upright frame once the first frame is known.
///
/// Objects are counted at the lower edge of their upright box, however the camera stores its frames.
package struct FrameCounters: Sendable {
  package private(set) var lines: [LineCounter]
  package private(set) var zones: [ZoneCounter]
  /// The names that the user gave to lines and zones.
  package let names: ShapeNames
  /// The stays that are events, in seconds, by the name of the zone.
  private let dwells: [String: Double]
  /// The labels of the objects that each zone sees; all if empty.
  private let labels: [Set<String>]

  /// Creates counters for lines and zones.
  /// - Parameters:
  ///   - lines: Lines of two points.
  ///   - zones: Zones of three or more points.
  ///   - dwells: The stays that are events, in seconds, by the name of the zone.
  ///   - memory: The number of frames that an unseen identity is remembered.
  /// - Throws: `invalid-line` or `invalid-zone`, also for names and dwells.
  package init(
    lines: [CountedShape], zones: [CountedShape], dwells: [String: Double] = [:], memory: Int
  ) throws(FoveaError) {
    var options = CountingOptions()
    options.memoryFrames = max(1, memory)
    names = ShapeNames(lines: lines.map(\.name), zones: zones.map(\.name))
    self.dwells = dwells
    labels = zones.map { Set($0.labels) }
    do throws(CountingError) {
      try ShapeName.check(names.allLines, .invalidLine)
      try ShapeName.check(names.allZones, .invalidZone)
      self.lines = try lines.map { (line) throws(CountingError) in
        let ends = Self.points(line.points)
        return try LineCounter(from: ends[0], to: ends[1], options: options)
      }
      self.zones = try zones.map { (zone) throws(CountingError) in
        try ZoneCounter(Self.points(zone.points), options: options)
      }
      for zone in namedZones { try zone.checkDwell() }
    } catch {
      throw FoveaError(error)
    }
    if let name = dwells.keys.sorted().first(where: { !names.allZones.contains($0) }) {
      throw FoveaError(
        FoveaCode(CountingCode.invalidZone), "There is a dwell for '\(name.printable)', but no such zone",
        remedy: "Give the name of a zone, such as 'drive' of the zone 'drive=X1,Y1,…'")
    }
  }

  /// Returns the memory of counters for a tracker that does not report its identities: at least the
  /// tracker's.
  package static func memory(for tracker: FoveaTracker.Configuration) -> Int {
    max(CountingOptions().memoryFrames, tracker.maxAgeFrames + 1)
  }

  /// Returns the points of X1, Y1, X2, Y2, ….
  package static func points(_ numbers: [Double]) -> [PixelPoint] {
    stride(from: 0, to: numbers.count, by: 2).map { PixelPoint(x: numbers[$0], y: numbers[$0 + 1]) }
  }

  /// Returns the same lines and zones in pixels of the upright frame, with nothing counted yet.
  ///
  /// - Parameters:
  ///   - orientation: The orientation of the stored frame, whose pixels the current points use.
  ///   - size: The size of the stored frame.
  /// - Returns: The counters.
  /// - Throws: `invalid-line` or `invalid-zone` if rotation makes a shape too large.
  package func rotated(
    by orientation: Orientation, stored size: PixelSize
  ) throws(FoveaError) -> FrameCounters {
    func upright(_ point: PixelPoint) -> PixelPoint {
      let box = orientation.uprightBox(
        fromStored: BoundingBox(minX: point.x, minY: point.y, maxX: point.x, maxY: point.y), stored: size)
      return PixelPoint(x: box.minX, y: box.minY)
    }
    let (origin, right, below) = (
      upright(PixelPoint(x: 0, y: 0)), upright(PixelPoint(x: 1, y: 0)), upright(PixelPoint(x: 0, y: 1))
    )
    // A mirror swaps left and right, so the ends of a line are swapped too.
    let isMirrored = (right.x - origin.x) * (below.y - origin.y) < (right.y - origin.y) * (below.x - origin.x)
    var counters = self
    do {
      counters.lines = try lines.map { line in
        let (start, end) = (upright(line.start), upright(line.end))
        return try LineCounter(
          from: isMirrored ? end : start, to: isMirrored ? start : end, options: line.options)
      }
      counters.zones = try zones.map { try ZoneCounter($0.corners.map(upright), options: $0.options) }
    } catch {
      throw FoveaError(error)
    }
    return counters
  }

  package var isEmpty: Bool { lines.isEmpty && zones.isEmpty }

  /// Counts the objects of one frame.
  /// - Parameters:
  ///   - objects: The objects, with boxes in pixels of the upright frame.
  ///   - known: The identities that can still return; nil keeps each for the counters' memory.
  /// - Returns: The objects that crossed each line, and those that entered or left each zone.
  @discardableResult
  package mutating func update(_ objects: [DetectedObject], known: [Int]? = nil) -> Sights {
    let all = Self.counted(objects)
    return Sights(
      crossings: lines.indices.map { lines[$0].update(all, known: known) },
      visits: zones.indices.map { index in
        let labels = labels[index]
        let visitors =
          labels.isEmpty
          ? all : Self.counted(objects.filter { $0.labels.first?.text.map(labels.contains) ?? false })
        return zones[index].update(visitors, known: known)
      })
  }

  private static func counted(_ objects: [DetectedObject]) -> [CountedObject] {
    objects.compactMap { object in
      object.trackingID.map {
        CountedObject(identity: $0, box: object.box, classIndex: object.labels.first?.index)
      }
    }
  }

  /// The objects that lines and zones saw in one frame.
  package struct Sights: Sendable, Hashable {
    /// The crossings of each line, in the order of the lines.
    package var crossings: [[LineCrossing]]
    /// The entries and exits of each zone, in the order of the zones.
    package var visits: [[ZoneEvent]]
  }

  /// The counts so far.
  package var table: CountTable {
    var table = CountTable(lines: lines.map(\.counts), zones: zones.map(\.counts))
    table.names = names
    return table
  }

  /// Returns events for the same lines and zones.
  /// - Parameter threshold: The median score from which an object starts an event.
  /// - Returns: The events, which have seen no object.
  /// - Throws: `invalid-line` or `invalid-zone`.
  package func events(threshold: Double) throws(FoveaError) -> ObjectEvents {
    let named = zip(names.allLines, lines).map { CountingLine($0, from: $1.start, to: $1.end) }
    do {
      return try ObjectEvents(lines: named, zones: namedZones, threshold: threshold)
    } catch {
      throw FoveaError(error)
    }
  }

  private var namedZones: [CountingZone] {
    zip(names.allZones, zip(zones, labels)).map { name, zone in
      CountingZone(name, zone.0.corners, labels: zone.1, dwell: dwells[name])
    }
  }
}

extension FrameRecord {
  /// The objects with identities, as input of events.
  package var observed: [ObservedObject] {
    objects.compactMap { object in
      object.trackingID.map {
        ObservedObject(
          identity: $0, label: object.labels.first?.text, score: Double(object.score), box: object.box)
      }
    }
  }
}

/// The number of different identities, in little memory: identities are assigned in ascending order.
package struct IdentityCount {
  private var seen: Set<Int> = []
  private var counted = 0
  private var oldest = Int.min

  package init() {}

  /// The number of identities seen.
  package var count: Int { counted + seen.count }

  /// Counts an identity; ignores nil.
  package mutating func see(_ identity: Int?) {
    guard let identity, identity >= oldest else { return }
    seen.insert(identity)
    // Counts and forgets identities far older than the newest, because they cannot return.
    guard seen.count > 65_536, let newest = seen.max() else { return }
    let limit = newest - 32_768
    let recent = seen.filter { $0 >= limit }
    counted += seen.count - recent.count
    seen = recent
    oldest = limit
  }
}
