// SPDX-License-Identifier: Apache-2.0

package import FoveaCore
public import FoveaTracking

/// The counts of each line and zone.
public struct CountTable: Sendable, Hashable {
  /// The counts of each line, in the order in which lines were given.
  public var lines: [LineCounts]
  /// The counts of each zone, in the order in which zones were given.
  public var zones: [ZoneCounts]
  /// The names of the lines and zones.
  package var names = ShapeNames()
  /// The stays in each zone; empty if they are not measured.
  ///
  /// Only zones with names report them.
  package var stays: [ZoneStays] = []

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
      rows.append("\(names.text(line: index)): \(line.in) in, \(line.out) out")
    }
    for (index, zone) in zones.enumerated() {
      rows.append(
        "\(names.text(zone: index)): \(zone.inside) inside, \(zone.entered) entered, \(zone.left) left, "
          + "\(zone.vanished) vanished, \(zone.distinct) different")
    }
    return rows.map { $0 + "\n" }.joined()
  }
}

extension CountTable: JSONObject {
  /// Appends `lines` (`in`, `out`) and `zones` (`inside`, `entered`, `left`, `vanished`, `distinct`), those
  /// with a name with `name`, zones with a name also with `queue`, `longest` and `dwells` (`count`, `mean`,
  /// `max`).
  package func appendMembers(to json: inout JSONText) {
    json.objects("lines", Array(lines.enumerated())) { json, line in
      if let name = names.name(line: line.offset) { json.member("name", name) }
      json.member("in", line.element.in)
      json.member("out", line.element.out)
    }
    json.objects("zones", Array(zones.enumerated())) { json, zone in
      let name = names.name(zone: zone.offset)
      if let name { json.member("name", name) }
      json.member("inside", zone.element.inside)
      json.member("entered", zone.element.entered)
      json.member("left", zone.element.left)
      json.member("vanished", zone.element.vanished)
      json.member("distinct", zone.element.distinct)
      guard name != nil, stays.indices.contains(zone.offset) else { return }
      Self.append(stays[zone.offset], to: &json)
    }
  }

  private static func append(_ stays: ZoneStays, to json: inout JSONText) {
    json.member("queue", stays.queue)
    json.member("longest", stays.longest, places: 3)
    json.member("dwells") { json in
      json.member("count", stays.count)
      json.member("mean", stays.mean, places: 3)
      json.member("max", stays.count > 0 ? stays.maximum : nil, places: 3)
    }
  }
}
