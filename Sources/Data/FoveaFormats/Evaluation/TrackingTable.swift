// SPDX-License-Identifier: Apache-2.0

import FoveaCore
package import FoveaEvaluation

/// A readable table of tracking figures, fractions in percent.
package enum TrackingTable {
  private static let accuracies = ["HOTA", "DetA", "AssA", "DetRe", "DetPr", "AssRe", "AssPr", "LocA"]
  private static let events = ["MOTA", "MOTP", "IDF1", "IDR", "IDP"]
  private static let counts = ["IDSW", "Frag", "MT", "PT", "ML", "CLR_FN", "CLR_FP"]

  /// Returns two tables with a line per sequence, and a combined line if `isWhole`: if no sequence failed.
  package static func text(of report: TrackingReport, isWhole: Bool) -> String {
    var parts = report.sequences.map { ($0.name.printable, $0.metrics) }
    let combined = report.combined
    if isWhole && parts.count > 1 { parts.append(("combined", combined)) }
    let summary = summary(of: report, combined)
    let first = table(parts, columns: accuracies, counts: [])
    return summary + "\n\n" + first + "\n" + table(parts, columns: events, counts: counts)
  }

  private static func summary(of report: TrackingReport, _ all: TrackingMetrics) -> String {
    let count = DecimalText.counted
    return [
      count(report.sequences.count, "sequence", "sequences") + " by the rules of \(report.benchmark.name)",
      count(all.groundTruthBoxes, "box", "boxes") + " of "
        + count(all.groundTruthIdentities, "object", "objects"),
      count(all.boxes, "tracked box", "tracked boxes") + " of " + count(all.identities, "track", "tracks"),
      "figures in %",
    ].joined(separator: ", ")
  }

  private static func table(
    _ parts: [(name: String, metrics: TrackingMetrics)], columns: [String], counts: [String]
  ) -> String {
    var rows = [["sequence"] + columns + counts.map { $0.replacing(part: "CLR_", with: "") }]
    for part in parts {
      let fractions = Dictionary(uniqueKeysWithValues: part.metrics.fractions.map { ($0.name, $0.value) })
      let numbers = Dictionary(uniqueKeysWithValues: part.metrics.counts.map { ($0.name, $0.value) })
      rows.append(
        [part.name] + columns.map { DecimalText.fixed(100 * (fractions[$0] ?? 0), places: 2) }
          + counts.map { DecimalText.grouped(numbers[$0] ?? 0) })
    }
    return TextTable.text(rows, leftAligned: [0])
  }
}
