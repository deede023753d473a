// SPDX-License-Identifier: Apache-2.0

import Fovea
package import FoveaCore

/// The description of a model after metadata was written into it.
package struct DescribedModel {
  private let inspection: ModelInspection
  private let report: CompatibilityReport

  /// Reads the written file again, as its users will.
  package init(_ path: String) throws(FoveaError) {
    inspection = try ModelInspection(of: .file(path))
    report = try CompatibilityReport(of: .file(path))
  }

  /// Returns its path, its metadata, and the conclusion of the report.
  package func text(_ words: (Advice) -> String) -> String {
    var rows: [[String]] = []
    if let labels = inspection.labels {
      let locales = inspection.locales.isEmpty ? "" : " (\(inspection.locales.joined(separator: ", ")))"
      let names = ModelReport.list(labels.names, of: labels.count, most: 3)
      rows.append(["labels", "\(DecimalText.grouped(labels.count))\(locales): \(names)"])
    }
    if let stated = inspection.metadata?.inputs.first?.normalization {
      let (mean, deviation) = (stated.mean, stated.standardDeviation)
      rows.append([
        "normalise",
        "mean \(mean.map(\.description).joined(separator: ", ")), deviation "
          + deviation.map(\.description).joined(separator: ", "),
      ])
    }
    if let threshold = inspection.threshold { rows.append(["threshold", "\(threshold)"]) }
    return report.name.printable + "\n" + TextTable.text(rows, leftAligned: [0, 1], indent: "  ")
      + WrappedText.lines(report.conclusion(words), first: "  ", indent: 2)
  }
}
