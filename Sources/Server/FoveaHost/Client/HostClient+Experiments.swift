// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore
import FoveaModels

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
      "POST", ["experiments"], body: HostClient.json { $0.members(of: draft, hasNulls: false) },
      scopes: [.writeExperiments])
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
#endif
