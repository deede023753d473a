// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaFormats
import FoveaHTTP
import FoveaTracking

extension StreamRegistry {
  /// Adds the counts of lines and zones of all sources, which are read on demand.
  /// - Parameters:
  ///   - metrics: The metrics.
  ///   - journal: The journal that has counted entries and crossings; nil to count them since the start.
  func describeCounts(in metrics: Metrics, from journal: EventJournal?) {
    let entries = sources.map(\.entry)
    metrics.gauge("fovea_zone_inside", help: "Objects in a zone of a source.") {
      zones { $0.inside }
    }
    metrics.counter("fovea_zone_entered_total", help: "Entries into a zone of a source.") {
      [weak journal] in
      journal?.totals.entries(of: entries) ?? zones { $0.entered }
    }
    metrics.counter("fovea_line_crossings_total", help: "Crossings of a line of a source, by direction.") {
      [weak journal] in
      journal?.totals.crossings(of: entries)
        ?? counts { table in
          zip(table.names.allLines, table.lines).flatMap { name, line in
            [("in", line.in), ("out", line.out)].map { ($1, ["line", name, "direction", $0]) }
          }
        }
    }
  }

  private func zones(_ value: (ZoneCounts) -> Int) -> [Metrics.Reading] {
    counts { table in zip(table.names.allZones, table.zones).map { (value($1), ["zone", $0]) } }
  }

  private func counts(_ values: (CountTable) -> [(count: Int, labels: [String])]) -> [Metrics.Reading] {
    sources.flatMap { source in
      (source.counts.map(values) ?? []).map { count, labels in
        Metrics.Reading(Double(count), ["stream", source.entry.name] + labels)
      }
    }
  }
}
#endif
