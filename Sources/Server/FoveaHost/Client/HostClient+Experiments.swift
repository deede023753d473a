// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaModels
package import FoveaCore

extension HostClient {
  package func experiments() async throws(HostError) -> Reply {
    try await send("GET", ["experiments"], scopes: [.readModels])
  }

  package func experiment(_ id: String) async throws(HostError) -> Reply {
    try HostName.check(experiment: id)
    return try await send("GET", ["experiments", id], scopes: [.readModels])
  }

  /// What may be said about an experiment today.
  package func report(_ id: String) async throws(HostError) -> Reply {
    try HostName.check(experiment: id)
    return try await send("GET", ["experiments", id, "report"], scopes: [.readModels])
  }

  package func start(_ draft: ExperimentDraft) async throws(HostError) -> Reply {
    try await send(
      "POST", ["experiments"], body: HostClient.json { draft.write(to: &$0) }, scopes: [.writeExperiments])
  }

  /// What is done to an experiment as a whole.
  package enum ExperimentStep: String, Sendable { case pause, resume, stop }

  package func change(_ id: String, _ step: ExperimentStep) async throws(HostError) -> Reply {
    try HostName.check(experiment: id)
    return try await send("POST", ["experiments", "\(id):\(step.rawValue)"], scopes: [.writeExperiments])
  }

  /// Gives a variant to all.
  package func rollOut(_ variant: String, of id: String) async throws(HostError) -> Reply {
    try HostName.check(experiment: id)
    return try await send(
      "POST", ["experiments", "\(id):rollout"], body: HostClient.json { $0.member("variant", variant) },
      scopes: [.writeExperiments, .publishModels])
  }

  package func setWeights(_ weights: [Int], of id: String) async throws(HostError) -> Reply {
    try HostName.check(experiment: id)
    return try await send(
      "PUT", ["experiments", id, "weights"], body: HostClient.json { $0.member("weights", weights) },
      scopes: [.writeExperiments])
  }

  /// Gives a test device a variant, or with nil the one that it draws.
  package func setOverride(
    _ variant: String?, unit: String, of id: String
  ) async throws(HostError) -> Reply {
    try HostName.check(experiment: id)
    let body = HostClient.json { json in
      json.member("unit", unit)
      json.member("variant", variant)
    }
    return try await send("PUT", ["experiments", id, "overrides"], body: body, scopes: [.writeExperiments])
  }
}

extension ExperimentDraft {
  /// Writes the members that are given into an object that is open.
  package func write(to json: inout JSONText) {
    json.member("id", id)
    if let unit { json.member("unit", unit) }
    if let model { json.member("model", model) }
    json.member("variants", variants) { json, variant in
      json.object { json in
        if let id = variant.id { json.member("id", id) }
        if let weight = variant.weight { json.member("weight", weight) }
        if let version = variant.version { json.member("version", version) }
        if let parameters = variant.parameters {
          json.member("parameters") { json in
            for (key, value) in parameters.sorted(by: { $0.key < $1.key }) {
              json.key(named: key)
              json.string(value)
            }
          }
        }
      }
    }
    if let condition { json.member("condition", condition) }
    json.member("metric") { json in
      json.member("name", metric.name)
      if let kind = metric.kind { json.member("kind", kind) }
      if let window = metric.window {
        json.key("window")
        json.literal(window)
      }
    }
    if let planned { json.member("planned", planned) }
    if let layer { json.member("layer", layer) }
    for (name, percent) in [("share", share), ("holdout", holdout)] {
      guard let percent else { continue }
      json.key(named: name)
      json.literal(percent)
    }
    if let draft { json.member("draft", draft) }
  }
}
#endif
