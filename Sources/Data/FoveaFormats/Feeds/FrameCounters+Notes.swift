// SPDX-License-Identifier: Apache-2.0

package import FoveaGeometry
import FoveaTracking

extension FrameCounters {
  /// Returns a note for each line and zone without a point in the frame, or with points that look like
  /// fractions: sentences without the full stop.
  /// - Parameter size: The size of the frame, in the pixels that the points use.
  /// - Returns: The notes, lines first.
  package func notes(outside size: PixelSize) -> [String] {
    let area = FrameArea(width: Double(size.width), height: Double(size.height))
    let remedy = "give its points in pixels from the top left corner"
    let outside = "is outside the frame of \(size.width) × \(size.height) pixels; \(remedy)"
    let fractions = "has only coordinates from 0 to 1, which is at most one pixel; \(remedy)"
    var notes: [String] = []
    for (index, line) in lines.enumerated() {
      let name = names.text(line: index).capitalizedFirst
      if !area.meets(line.start, line.end) { notes.append("\(name) \(outside)") }
      // A line from pixel to pixel can be meant, one between pixels hardly.
      let ends = [line.start, line.end]
      if ends.isFractions, ends.contains(where: { $0.x != $0.x.rounded() || $0.y != $0.y.rounded() }) {
        notes.append("\(name) \(fractions)")
      }
    }
    for (index, zone) in zones.enumerated() {
      let name = names.text(zone: index).capitalizedFirst
      if !area.meets(zone) { notes.append("\(name) \(outside)") }
      if zone.corners.isFractions { notes.append("\(name) \(fractions)") }
    }
    return notes
  }
}

extension String {
  /// The same text with a capital letter at its start.
  fileprivate var capitalizedFirst: String { prefix(1).uppercased() + dropFirst() }
}

extension [PixelPoint] {
  /// Whether all coordinates are from 0 to 1, as if they were fractions of the frame.
  fileprivate var isFractions: Bool {
    allSatisfy { (0...1).contains($0.x) && (0...1).contains($0.y) }
  }
}

/// The area of a frame, including its edges.
private struct FrameArea {
  let width: Double
  let height: Double

  /// Returns whether a point between two points, or one of the two, is in the area.
  ///
  /// **Source:** Liang and Barsky, "A New Concept and Method for Line Clipping", 1984.
  func meets(_ start: PixelPoint, _ end: PixelPoint) -> Bool {
    let (x, y) = (end.x - start.x, end.y - start.y)
    let sides = [(-x, start.x), (x, width - start.x), (-y, start.y), (y, height - start.y)]
    var first = 0.0
    var last = 1.0
    for (step, distance) in sides {
      if step == 0 {
        if distance < 0 { return false }
      } else if step < 0 {
        first = max(first, distance / step)
      } else {
        last = min(last, distance / step)
      }
    }
    return first <= last
  }

  /// Returns whether a zone and the area have a point in common.
  func meets(_ zone: ZoneCounter) -> Bool {
    let corners = zone.corners
    let edges = zip(corners, corners.dropFirst() + corners.prefix(1))
    // If no edge meets the area, the zone contains all of it or nothing.
    return edges.contains(where: { meets($0.0, $0.1) }) || zone.contains(PixelPoint(x: 0, y: 0))
  }
}
