// SPDX-License-Identifier: Apache-2.0
#if Server
import ArgumentParser
import FoveaCore
import FoveaHost

/// `fovea host key`: who may do what.
struct KeyCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "key",
    abstract: "Make and revoke keys: fovea host key add publisher",
    subcommands: [
      KeyAddCommand.self, KeyListCommand.self, KeyRevokeCommand.self, KeyRotateCommand.self,
    ])
}

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

/// `fovea host key revoke`: ends a key at once.
struct KeyRevokeCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "revoke",
    abstract: "Revoke a key: fovea host key revoke 9e107d9d372bb6826bd81d3542a419d6e43f1c22",
    discussion: "What it signed, and the tokens that it got, are void at once.")

  @Argument(help: ArgumentHelp("The id that 'fovea host key list' shows.", valueName: "id"))
  var id: String

  @OptionGroup var client: ClientOptions

  func run() async throws {
    try await client.run { host throws(HostError) in
      try await host.revokeKey(id)
    } text: { _ throws(HostError) in
      "revoked \(id)\n"
    }
  }
}
#endif
