// SPDX-License-Identifier: Apache-2.0

package import FoveaCore
package import FoveaEvaluation

/// A report of tracking figures as one line of JSON: fractions with all digits.
package enum TrackingJSON {
  package static func line(of run: TrackingRun, words: (Advice) -> String) -> String {
    JSONText.text { json in
      json.member("benchmark", run.report.benchmark.name)
      json.member("alphas", HOTAMetrics.alphas)
      json.objects("sequences", run.report.sequences) { json, sequence in
        json.member("name", sequence.name)
        json.member("metrics", sequence.metrics)
      }
      json.member("combined", run.failures.isEmpty ? run.report.combined : nil)
      json.objects("failed", run.failures) { json, failure in
        json.member("name", failure.sequence)
        json.member("error") { json in
          json.member("code", failure.error.code.rawValue)
          json.member("message", failure.error.message)
          json.member("remedy", words(failure.error.remedy))
        }
      }
    }
  }
}

extension TrackingMetrics: JSONObject {
  package func appendMembers(to json: inout JSONText) {
    for (name, value) in fractions {
      json.key(named: name)
      json.literal(value)
    }
    for (name, value) in counts {
      json.key(named: name)
      json.integer(value)
    }
    json.member("HOTA_alpha", hota.hotas)
  }
}
