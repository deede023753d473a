// SPDX-License-Identifier: Apache-2.0

package import FoveaCore

extension CompatibilityReport {
  /// Returns the report as one line of JSON; `words` renders remedies for its readers.
  package func json(_ words: (Advice) -> String) -> String {
    JSONText.text(capacity: 8_192) { json in
      json.member("path", name)
      json.member("family", family)
      json.member("acceptedByMLKit", isAcceptedByGoogle)
      json.member("acceptedByFovea", isAcceptedByFovea)
      if let refusal {
        json.member("refusal") { json in
          json.member("message", refusal.message)
          json.member("remedy", words(refusal.remedy))
        }
      } else {
        json.member("refusal", nil as String?)
      }
      json.objects("rules", rules) { json, rule in
        json.member("number", rule.number)
        json.member("title", rule.title)
        json.member("verdict", rule.verdict.rawValue)
        json.member("finding", rule.finding)
        json.member("status", rule.status?.rawValue)
        json.member("statusText", rule.statusText)
        json.member("remedy", rule.remedy.map(words))
      }
    }
  }
}
