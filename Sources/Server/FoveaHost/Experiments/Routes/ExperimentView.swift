// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaModels
import FoveaCore

/// Experiments as the host's own API shows them.
enum ExperimentView {
  /// Writes the members of an experiment into an object that is open.
  static func write(_ experiment: Experiment, model: String?, to json: inout JSONText) {
    json.member("id", experiment.id)
    json.member("state", experiment.state.rawValue)
    json.member("unit", experiment.unit.rawValue)
    json.member("model", model)
    json.member("variants", Array(experiment.variants.enumerated())) { json, item in
      json.object { json in
        json.member("id", item.element.id)
        json.member("weight", experiment.rows.last?.weights[item.offset])
        json.member("version", item.element.version)
        if experiment.model == nil {
          json.member("parameters") { json in
            for (key, value) in item.element.parameters.sorted(by: { $0.key < $1.key }) {
              json.key(named: key)
              json.string(value)
            }
          }
        }
      }
    }
    json.member("condition", experiment.condition)
    json.member("metric") { json in
      json.member("name", experiment.metric.name)
      json.member("kind", experiment.metric.kind.rawValue)
      json.member("window", experiment.metric.window)
    }
    json.member("planned", experiment.planned)
    json.member("draw") { write(experiment.range, to: &$0) }
    json.member("created", experiment.created.text)
    json.member("started", experiment.started?.text)
    json.member("ended", experiment.ended?.text)
    json.member("winner", experiment.winner)
  }

  /// Writes what the log of weights and the test devices add.
  static func writeDetails(_ experiment: Experiment, to json: inout JSONText) {
    json.member("rows", experiment.rows) { json, row in
      json.object { json in
        json.member("from", row.from.text)
        json.member("weights", row.weights)
        json.member("drawn", row.isDrawn)
      }
    }
    json.member("overrides") { json in
      for (unit, variant) in experiment.overrides.sorted(by: { $0.key < $1.key }) {
        json.key(named: unit)
        json.string(variant)
      }
    }
  }

  /// With the seed, anyone can compute who gets what.
  private static func write(_ range: DrawRange, to json: inout JSONText) {
    json.member("seed", range.seed)
    json.member("layer", range.layer)
    json.member("start", range.start)
    json.member("end", range.end)
    json.key("share")
    json.literal(Double(range.end - range.start) / 1_000_000)
    json.key("holdout")
    json.literal(Double(PercentHash.count - range.holdout) / 1_000_000)
  }
}
#endif
