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

  /// Creates counters for lines of two points and zones of three or more, each as X1, Y1, X2, Y2, ….
  package init(linePoints: [[Double]], zonePoints: [[Double]], memory: Int) throws(FoveaError) {
    var options = CountingOptions()
    options.memoryFrames = max(1, memory)
    do {
      lines = try linePoints.map { numbers in
        let ends = Self.points(numbers)
        return try LineCounter(from: ends[0], to: ends[1], options: options)
      }
      zones = try zonePoints.map { try ZoneCounter(Self.points($0), options: options) }
    } catch {
      throw FoveaError(error)
    }
  }

  /// Returns the memory of counters for a tracker that does not report its identities: at least the
  /// tracker's.
  package static func memory(for tracker: FoveaTracker.Configuration) -> Int {
    max(CountingOptions().memoryFrames, tracker.maxAgeFrames + 1)
  }

  private static func points(_ numbers: [Double]) -> [PixelPoint] {
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

  /// Counts the objects of one frame, with boxes in pixels of the upright frame; `known` lists the identities
  /// that can still return; nil keeps each identity for the counters' memory.
  package mutating func update(_ objects: [DetectedObject], known: [Int]? = nil) {
    let counted = objects.compactMap { object in
      object.trackingID.map {
        CountedObject(identity: $0, box: object.box, classIndex: object.labels.first?.index)
      }
    }
    for index in lines.indices { lines[index].update(counted, known: known) }
    for index in zones.indices { zones[index].update(counted, known: known) }
  }

  /// The counts so far.
  package var table: CountTable { CountTable(lines: lines.map(\.counts), zones: zones.map(\.counts)) }
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
