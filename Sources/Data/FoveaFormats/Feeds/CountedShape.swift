// SPDX-License-Identifier: Apache-2.0

/// A line or zone as a user gives it.
package struct CountedShape: Sendable, Hashable {
  /// The name; nil if it has none.
  package var name: String?
  /// The points as X1, Y1, X2, Y2, …, in pixels of the frame.
  package var points: [Double]
  /// The labels of the objects that a zone sees; all if empty, as by default.
  package var labels: [String]

  package init(name: String? = nil, points: [Double], labels: [String] = []) {
    self.name = name
    self.points = points
    self.labels = labels
  }
}

/// The forms in which a user types lines, zones and stays.
package enum ShapeForm: String, Sendable {
  case line, zone, dwell

  /// The numbers after the name.
  package var numbers: String {
    switch self {
    case .line: "x1,y1,x2,y2"
    case .zone: "x1,y1,x2,y2,x3,y3"
    case .dwell: "seconds"
    }
  }

  /// A name with its numbers.
  package var example: String {
    switch self {
    case .line: "door=0,200,640,200"
    case .zone: "drive=100,200,500,200,500,350"
    case .dwell: "drive=15"
    }
  }
}

/// The names that a user gave to lines and zones, each nil if it has none.
package struct ShapeNames: Sendable, Hashable {
  package var lines: [String?] = []
  package var zones: [String?] = []

  package init(lines: [String?] = [], zones: [String?] = []) {
    self.lines = lines
    self.zones = zones
  }

  /// The names of all lines: `line-2` for the second if it has none.
  package var allLines: [String] { lines.enumerated().map { $1 ?? "line-\($0 + 1)" } }

  /// The names of all zones: `zone-2` for the second if it has none.
  package var allZones: [String] { zones.enumerated().map { $1 ?? "zone-\($0 + 1)" } }

  /// Returns the name of a line in texts: `line 2` if it has none.
  package func text(line index: Int) -> String { "line \(name(line: index) ?? String(index + 1))" }

  /// Returns the name of a zone in texts: `zone 2` if it has none.
  package func text(zone index: Int) -> String { "zone \(name(zone: index) ?? String(index + 1))" }

  /// Returns the name of a line, if it has one.
  func name(line index: Int) -> String? { lines.indices.contains(index) ? lines[index] : nil }

  /// Returns the name of a zone, if it has one.
  func name(zone index: Int) -> String? { zones.indices.contains(index) ? zones[index] : nil }
}
