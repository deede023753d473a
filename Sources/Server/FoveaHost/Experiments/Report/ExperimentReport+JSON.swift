// SPDX-License-Identifier: Apache-2.0
#if Server
package import FoveaCore

extension ExperimentReport {
  /// Writes the members into an object that is open.
  package func write(to json: inout JSONText) {
    ExperimentView.write(experiment, model: model, to: &json)
    json.member("from", days.map { Timestamp.dayText($0.lowerBound) })
    json.member("until", days.map { Timestamp.dayText($0.upperBound) })
    let totals = counts.totals
    json.member("arms", Array(experiment.variants.enumerated())) { json, arm in
      let (index, variant) = arm
      json.object { json in
        json.member("variant", variant.id)
        json.member("version", variant.version)
        json.member("exposed", exposed[index])
        json.member("units", totals[index].units)
        json.key("sum")
        json.literal(totals[index].sum)
        json.key("mean")
        json.literal(totals[index].mean)
      }
    }
    json.member("sampleRatio") { json in
      json.key("p")
      json.literal(analysis.sampleRatio)
      json.member("alarm", analysis.isHidden)
    }
    json.member("comparisons", analysis.comparisons[0]) { json, comparison in
      json.object { json in
        json.member("variant", experiment.variants[comparison.variant].id)
        for (name, value) in [
          ("difference", comparison.difference), ("low", comparison.low), ("high", comparison.high),
          ("p", comparison.p), ("adjusted", comparison.adjusted),
        ] {
          json.key(named: name)
          json.literal(value)
        }
        json.member("enough", comparison.isEnough)
        json.member("verdict", comparison.verdict.rawValue)
      }
    }
    json.member("findings", findings)
    json.member("notes", notes)
    json.member("refused") { json in
      for (reason, count) in refusals.sorted(by: { $0.key < $1.key }) {
        json.key(named: reason)
        json.integer(count)
      }
    }
    json.member("counts") { counts.write(to: &$0) }
  }
}

extension MetricCounts {
  /// Writes what `analyze` takes into an object that is open.
  package func write(to json: inout JSONText) {
    json.key("alpha")
    json.literal(alpha)
    json.key("planned")
    json.literal(planned)
    json.member("kind", kind.rawValue)
    json.member("weights", weights)
    json.member("looks", looks) { json, look in
      json.object { json in
        json.member("units", look.arms.map(\.units))
        json.member("sum", look.arms.map(\.sum))
        json.member("squares", look.arms.map(\.squares))
        if let weights = look.weights { json.member("weights", weights) }
      }
    }
  }
}

extension Timestamp {
  /// The beginning of a day.
  init(day: Int64) { self.init(milliseconds: day * 86_400_000) }

  /// As `2026-11-23`.
  var dayText: String { String(text.prefix(10)) }

  /// A day, in days since 1970-01-01, as `2026-11-23`.
  package static func dayText(_ day: Int64) -> String { Timestamp(day: day).dayText }
}
#endif
