// SPDX-License-Identifier: Apache-2.0

package import FoveaCore
public import FoveaTracking

/// The counts of each line and zone.
public struct CountTable: Sendable, Hashable {
  /// The counts of each line, in the order in which lines were given.
  public var lines: [LineCounts]
  /// The counts of each zone, in the order in which zones were given.
  public var zones: [ZoneCounts]

  /// Creates a table.
  public init(lines: [LineCounts] = [], zones: [ZoneCounts] = []) {
    self.lines = lines
    self.zones = zones
  }

  /// The table as one line of JSON: `{"counts": …}`.
  package var jsonLine: String { JSONText.line { $0.member("counts", self) } }

  /// A readable text with one line per counting line and zone.
  package var text: String {
    var rows: [String] = []
    for (index, line) in lines.enumerated() {
      rows.append("line \(index + 1): \(line.in) in, \(line.out) out")
    }
    for (index, zone) in zones.enumerated() {
      rows.append(
        "zone \(index + 1): \(zone.inside) inside, \(zone.entered) entered, \(zone.left) left, "
          + "\(zone.vanished) vanished, \(zone.distinct) different")
    }
    return rows.map { $0 + "\n" }.joined()
  }
}

extension CountTable: JSONObject {
  /// Appends `lines` (`in`, `out`) and `zones` (`inside`, `entered`, `left`, `vanished`, `distinct`).
  package func appendMembers(to json: inout JSONText) {
    json.objects("lines", lines) { json, line in
      json.member("in", line.in)
      json.member("out", line.out)
    }
    json.objects("zones", zones) { json, zone in
      json.member("inside", zone.inside)
      json.member("entered", zone.entered)
      json.member("left", zone.left)
      json.member("vanished", zone.vanished)
      json.member("distinct", zone.distinct)
    }
  }
}
