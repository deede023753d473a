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

  /// Returns the results of an experiment so far.
  package func report(_ id: String) async throws(HostError) -> Reply {
    try HostName.check(experiment: id)
    return try await send("GET", ["experiments", id, "report"], scopes: [.readModels])
  }

  package func start(_ draft: ExperimentDraft) async throws(HostError) -> Reply {
    try await send("POST", ["experiments"], body: HostClient.json(draft), scopes: [.writeExperiments])
  }

  /// An action on a whole experiment.
  package enum ExperimentStep: String, Sendable { case pause, resume, stop }

  package func change(_ id: String, _ step: ExperimentStep) async throws(HostError) -> Reply {
    try HostName.check(experiment: id)
    return try await send("POST", ["experiments", "\(id):\(step.rawValue)"], scopes: [.writeExperiments])
  }

  /// Rolls a variant out to everyone.
  package func rollOut(_ variant: String, of id: String) async throws(HostError) -> Reply {
    try HostName.check(experiment: id)
    return try await send(
      "POST", ["experiments", "\(id):rollout"], body: HostClient.json(HostRequest.Winner(variant: variant)),
      scopes: [.writeExperiments, .publishModels])
  }

  package func setWeights(_ weights: [Int], of id: String) async throws(HostError) -> Reply {
    try HostName.check(experiment: id)
    return try await send(
      "PUT", ["experiments", id, "weights"], body: HostClient.json(HostRequest.Weights(weights: weights)),
      scopes: [.writeExperiments])
  }

  /// Sets the variant of a test device; nil restores its random assignment.
  package func setOverride(_ variant: String?, unit: String, of id: String) async throws(HostError) -> Reply {
    try HostName.check(experiment: id)
    return try await send(
      "PUT", ["experiments", id, "overrides"],
      body: HostClient.json(HostRequest.Override(unit: unit, variant: variant)), scopes: [.writeExperiments])
  }
}
#endif
