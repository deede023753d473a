// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore
import FoveaModels

extension HostClient {
  /// Returns the template in force, or an earlier version.
  package func config(_ namespace: ConfigNamespace, version: Int? = nil) async throws(HostError) -> Reply {
    try await send(
      "GET", ["config", namespace.rawValue], query: version.map { [("version", String($0))] } ?? [],
      scopes: [.readConfig])
  }

  /// Publishes a template, or with `isDryRun` only checks it.
  ///
  /// Its `etag`, or else the one of the template in force, names the version to replace; with `isForced` any
  /// version is replaced.
  package func publishConfig(
    _ text: [UInt8], _ namespace: ConfigNamespace, isForced: Bool, isDryRun: Bool
  ) async throws(HostError) -> Reply {
    let tag: String
    if isForced {
      tag = "*"
    } else if case .string(let own)? = try JSONValue(strict: text, name: "The template")["etag"] {
      tag = own
    } else {
      tag = try await config(namespace).decode(HostAnswer.Config.self).etag
    }
    guard tag.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
      throw HostError(
        .invalid, "etag: the template has a tag that no host creates", remedy: "Remove the member")
    }
    return try await send(
      "PUT", ["config", namespace.rawValue], query: isDryRun ? [("validateOnly", "true")] : [],
      headers: ["If-Match: \(tag)"], body: .bytes(text), scopes: [.publishConfig, .readConfig])
  }

  package func configVersions(_ namespace: ConfigNamespace) async throws(HostError) -> Reply {
    try await send("GET", ["config", namespace.rawValue, "versions"], scopes: [.readConfig])
  }

  /// Publishes an earlier version again.
  package func rollBackConfig(
    _ namespace: ConfigNamespace, to version: Int
  ) async throws(HostError) -> Reply {
    try await send(
      "POST", ["config", namespace.rawValue, "rollback"],
      body: HostClient.json(HostRequest.Version(version: version)), scopes: [.publishConfig])
  }

  package func configDefaults(
    _ namespace: ConfigNamespace, _ format: ConfigDefaults
  ) async throws(HostError) -> Reply {
    try await send(
      "GET", ["config", namespace.rawValue, "defaults"], query: [("format", format.rawValue)],
      scopes: [.readConfig])
  }
}
#endif
