// SPDX-License-Identifier: Apache-2.0

import Fovea
import FoveaErrors
import FoveaEvaluation
import FoveaSystem

/// A report of tracking figures as one line of JSON: fractions with all digits.
enum TrackingJSON {
  static func line(of run: TrackingRun) -> String {
    var json = JSONText()
    json.object { json in
      json.member("benchmark", run.report.benchmark.name)
      json.key("alphas")
      json.array(HOTAMetrics.alphas) { json, alpha in json.literal(alpha) }
      json.key("sequences")
      json.array(run.report.sequences) { json, sequence in
        json.object { json in
          json.member("name", sequence.name)
          json.key("metrics")
          append(sequence.metrics, to: &json)
        }
      }
      json.key("combined")
      if run.failures.isEmpty { append(run.report.combined, to: &json) } else { json.null() }
      json.key("failed")
      json.array(run.failures) { json, failure in
        json.object { json in
          json.member("name", failure.sequence)
          json.key("error")
          json.object { json in
            json.member("code", failure.error.code.rawValue)
            json.member("message", failure.error.message)
            json.member("remedy", failure.error.remedy.commandLine)
          }
        }
      }
    }
    return json.text
  }

  private static func append(_ metrics: TrackingMetrics, to json: inout JSONText) {
    json.object { json in
      for (name, value) in metrics.fractions {
        json.key(named: name)
        json.literal(value)
      }
      for (name, value) in metrics.counts {
        json.key(named: name)
        json.integer(value)
      }
      json.key("HOTA_alpha")
      json.array(metrics.hota.hotas) { json, value in json.literal(value) }
    }
  }
}
