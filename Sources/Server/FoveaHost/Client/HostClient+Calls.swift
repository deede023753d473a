// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore
import FoveaModels

// An empty or malformed name would form the path of another route: it is rejected first.
extension HostClient {
  package func models() async throws(HostError) -> Reply {
    try await send("GET", ["models"], scopes: [.readModels])
  }

  package func model(_ name: String) async throws(HostError) -> Reply {
    try HostName.check(model: name)
    return try await send("GET", ["models", name], scopes: [.readModels])
  }

  package func history(_ name: String, limit: Int) async throws(HostError) -> Reply {
    try HostName.check(model: name)
    return try await send(
      "GET", ["models", name, "history"], query: [("limit", String(limit))], scopes: [.readModels])
  }

  package func point(_ name: String, channel: String, version: Int) async throws(HostError) -> Reply {
    try HostName.check(model: name)
    try HostModel.checkChannel(channel)
    return try await send(
      "PUT", ["models", name, "channels", channel],
      body: HostClient.json(HostRequest.Version(version: version)),
      scopes: [.publishModels])
  }

  /// A change to a rollout.
  package enum RolloutChange: Sendable, Equatable {
    /// Starts the rollout, or changes its share.
    case share(version: Int, percent: Double)
    /// Stops giving the version to devices.
    case halt
    /// Makes it the version of every device.
    case finish
  }

  package func rollOut(_ name: String, _ change: RolloutChange) async throws(HostError) -> Reply {
    try HostName.check(model: name)
    let body: HostRequest.Rollout =
      switch change {
      case .share(let version, let percent): HostRequest.Rollout(version: version, percent: percent)
      case .halt: HostRequest.Rollout(halt: true)
      case .finish: HostRequest.Rollout(finish: true)
      }
    return try await send(
      "PUT", ["models", name, "rollout"], body: HostClient.json(body), scopes: [.publishModels])
  }

  package func rollBack(_ name: String, channel: String) async throws(HostError) -> Reply {
    try HostName.check(model: name)
    try HostModel.checkChannel(channel)
    return try await send(
      "POST", ["models", name + ":rollback"], body: HostClient.json(HostRequest.Rollback(channel: channel)),
      scopes: [.publishModels])
  }

  package func withdraw(_ name: String, version: Int) async throws(HostError) -> Reply {
    try HostName.check(model: name)
    return try await send(
      "POST", ["models", name, "versions", "\(version):withdraw"], scopes: [.publishModels])
  }

  package func keys() async throws(HostError) -> Reply {
    try await send("GET", ["keys"], scopes: [.manageKeys])
  }

  /// Creates a key; the reply contains its secret, which the host does not keep.
  package func addKey(_ properties: KeyProperties) async throws(HostError) -> Reply {
    let body = HostRequest.Key(
      role: properties.role.rawValue, label: properties.label, expires: properties.expires?.text,
      universe: properties.universe)
    return try await send("POST", ["keys"], body: HostClient.json(body), scopes: [.manageKeys])
  }

  package func revokeKey(_ id: String) async throws(HostError) -> Reply {
    try HostName.check(key: id)
    return try await send("DELETE", ["keys", id], scopes: [.manageKeys])
  }

  /// Adds a new secret to the ring that signs tokens and URLs.
  package func rotateRing() async throws(HostError) -> Reply {
    try await send("POST", ["keys:rotate"], scopes: [.manageKeys])
  }

  static func json(_ body: some CheckedBody) -> HTTPExchange.Body {
    .bytes(Array(JSONText.text { $0.members(of: body, hasNulls: false) }.utf8))
  }
}
#endif
