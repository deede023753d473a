// SPDX-License-Identifier: Apache-2.0
#if Server
import ArgumentParser
import FoveaCore
import FoveaHost

/// `fovea host key list`: every key without its secret.
struct KeyListCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "List the keys of a host: fovea host key list")

  @OptionGroup var client: ClientOptions

  func run() async throws {
    try await client.run { host throws(HostError) in
      try await host.keys()
    } text: { reply throws(HostError) in
      let keys = try reply.decode(HostAnswer.Keys.self).keys
      return TextTable.text(
        [["ID", "ROLE", "NAME", "ACCOUNT", "CREATED", "ENDS"]]
          + keys.map { key in
            [
              key.id, key.role, key.label ?? "–", key.name, TextTable.minute(key.created),
              key.revoked == nil ? key.expires.map(TextTable.minute) ?? "–" : "revoked",
            ]
          })
    }
  }
}
#endif
