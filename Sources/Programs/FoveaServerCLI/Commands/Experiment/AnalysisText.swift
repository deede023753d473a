// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaHost
import FoveaCore

/// An analysis as JSON and as lines of text.
struct AnalysisText {
  let analysis: ExperimentAnalysis
  let counts: MetricCounts

  /// One line of JSON.
  var json: String {
    JSONText.line(capacity: 1024) { json in
      json.member("sampleRatio") { json in
        json.key("p")
        json.literal(analysis.sampleRatio)
        json.member("alarm", analysis.isHidden)
      }
      json.objects("comparisons", analysis.comparisons[0]) { json, comparison in
        json.member("variant", comparison.variant)
        for (name, value) in [
          ("difference", comparison.difference), ("low", comparison.low), ("high", comparison.high),
          ("p", comparison.p), ("adjusted", comparison.adjusted),
        ] {
          json.key(named: name)
          json.literal(value)
        }
        json.member("enough", comparison.isEnough)
        json.member("verdict", comparison.verdict.rawValue)
        json.member("finding", FindingText.sentence(comparison, of: analysis, counts))
      }
    }
  }

  /// A table of the arms, followed by a line for each variant.
  var text: String {
    let totals = counts.totals
    let isConversion = counts.kind == .conversion
    var rows = [["ARM", "UNITS", isConversion ? "CONVERSIONS" : "SUM", isConversion ? "RATE" : "MEAN"]]
    for (arm, sums) in totals.enumerated() {
      let mean = sums.mean.map {
        isConversion ? DecimalText.fixed(100 * $0, places: 2) + " %" : DecimalText.short($0, places: 4)
      }
      rows.append([
        arm == 0 ? "control" : "variant \(arm)", DecimalText.grouped(sums.units),
        DecimalText.short(sums.sum, places: 4), mean ?? "–",
      ])
    }
    if analysis.isHidden { return TextTable.text(rows) + FindingText.hidden(analysis, counts) + "\n" }
    return TextTable.text(rows)
      + analysis.comparisons[0].map {
        "variant \($0.variant): \(FindingText.sentence($0, of: analysis, counts))\n"
      }.joined()
  }
}
#endif
