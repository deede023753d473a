// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore

extension ConfigTemplate {
  /// Returns the template as JSON, with the metadata of its version.
  package func json(_ version: ConfigVersion?, forServers: Bool = false) -> String {
    JSONText.text(capacity: 4096) { json in
      write(to: &json, forServers: forServers)
      if let version { json.member("version") { version.write(to: &$0) } }
    }
  }

  /// Writes everything except the version into an open object.
  func write(to json: inout JSONText, forServers: Bool = false) {
    if !conditions.isEmpty {
      json.member("conditions", conditions) { json, condition in
        (forServers ? condition.jsonForServers : condition.json).append(to: &json)
      }
    }
    if !parameters.isEmpty { json.member("parameters") { ConfigTemplate.write(parameters, to: &$0) } }
    if !groups.isEmpty {
      json.member("parameterGroups") { json in
        for group in groups {
          json.key(named: group.name)
          json.object { json in
            JSONValue.write(group.others, to: &json)
            json.member("parameters") { ConfigTemplate.write(group.parameters, to: &$0) }
          }
        }
      }
    }
    JSONValue.write(others, to: &json)
  }

  private static func write(_ parameters: [ConfigParameter], to json: inout JSONText) {
    for parameter in parameters {
      json.key(named: parameter.key)
      json.object { json in
        if let standard = parameter.standard { json.member("defaultValue", standard.json) }
        if !parameter.conditionals.isEmpty {
          json.member("conditionalValues") { json in
            for conditional in parameter.conditionals {
              json.key(named: conditional.condition)
              conditional.value.json.append(to: &json)
            }
          }
        }
        JSONValue.write(parameter.others, to: &json)
        if parameter.type != .unspecified { json.member("valueType", parameter.type.rawValue) }
      }
    }
  }
}
#endif
