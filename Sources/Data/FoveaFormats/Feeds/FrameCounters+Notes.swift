// SPDX-License-Identifier: Apache-2.0

package import FoveaGeometry
import FoveaTracking

extension FrameCounters {
  /// Returns a note for each line and zone without a point in the frame: sentences without the full stop.
  /// - Parameter size: The size of the frame, in the pixels that the points use.
  /// - Returns: The notes, lines first.
  package func notes(outside size: PixelSize) -> [String] {
    let area = FrameArea(width: Double(size.width), height: Double(size.height))
    var names: [String] = []
    for (index, line) in lines.enumerated() where !area.meets(line.start, line.end) {
      names.append("Line \(index + 1)")
    }
    for (index, zone) in zones.enumerated() where !area.meets(zone) {
      names.append("Zone \(index + 1)")
    }
    return names.map { name in
      "\(name) is outside the frame of \(size.width) × \(size.height) pixels; "
        + "give its points in pixels from the top left corner"
    }
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
