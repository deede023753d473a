// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore
import FoveaModels

// An empty or odd name would make the path of another route: it is refused before.
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
      "PUT", ["models", name, "channels", channel], body: HostClient.json { $0.member("version", version) },
      scopes: [.publishModels])
  }

  /// What is done to a rollout.
  package enum RolloutChange: Sendable, Equatable {
    /// Starts it, or changes its share.
    case share(version: Int, percent: Double)
    /// No device gets it any more.
    case halt
    /// Every device gets it.
    case finish
  }

  package func rollOut(_ name: String, _ change: RolloutChange) async throws(HostError) -> Reply {
    try HostName.check(model: name)
    let body = HostClient.json { json in
      switch change {
      case .share(let version, let percent):
        json.member("version", version)
        json.key("percent")
        json.literal(percent)
      case .halt: json.member("halt", true)
      case .finish: json.member("finish", true)
      }
    }
    return try await send("PUT", ["models", name, "rollout"], body: body, scopes: [.publishModels])
  }

  package func rollBack(_ name: String, channel: String) async throws(HostError) -> Reply {
    try HostName.check(model: name)
    try HostModel.checkChannel(channel)
    return try await send(
      "POST", ["models", name + ":rollback"], body: HostClient.json { $0.member("channel", channel) },
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

  /// Makes a key; the answer has its secret, which the host does not keep.
  package func addKey(_ order: KeyOrder) async throws(HostError) -> Reply {
    let body = HostClient.json { json in
      json.member("role", order.role.rawValue)
      if let label = order.label { json.member("label", label) }
      if let expires = order.expires { json.member("expires", expires.text) }
      if let universe = order.universe { json.member("universe", universe) }
    }
    return try await send("POST", ["keys"], body: body, scopes: [.manageKeys])
  }

  package func revokeKey(_ id: String) async throws(HostError) -> Reply {
    try HostName.check(key: id)
    return try await send("DELETE", ["keys", id], scopes: [.manageKeys])
  }

  /// Puts a new secret into the ring that signs tokens and addresses.
  package func rotateRing() async throws(HostError) -> Reply {
    try await send("POST", ["keys:rotate"], scopes: [.manageKeys])
  }

  static func json(_ members: (inout JSONText) -> Void) -> HTTPExchange.Body {
    var json = JSONText()
    json.object(members)
    return .bytes(Array(json.text.utf8))
  }
}
#endif
