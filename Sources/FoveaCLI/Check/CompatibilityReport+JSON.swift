// SPDX-License-Identifier: Apache-2.0

import Fovea
import FoveaModelRules
import FoveaSystem

extension CompatibilityReport {
  /// The report as one line of JSON.
  var json: String {
    var json = JSONText(capacity: 8_192)
    json.object { json in
      json.member("path", name)
      json.member("family", family)
      json.member("acceptedByMLKit", isAcceptedByGoogle)
      json.member("acceptedByFovea", isAcceptedByFovea)
      json.key("rules")
      json.array(rules) { json, rule in
        json.object { json in
          json.member("number", rule.number)
          json.member("title", rule.title)
          json.member("verdict", rule.verdict.rawValue)
          json.member("finding", rule.finding)
          json.key("status")
          if let status = rule.status { json.integer(status.rawValue) } else { json.null() }
          json.member("statusText", rule.statusText)
          json.member("remedy", rule.remedy?.commandLine)
        }
      }
    }
    return json.text
  }
}
