// SPDX-License-Identifier: Apache-2.0
#if Server
import ArgumentParser
import FoveaCore
import FoveaHost

/// `fovea host key`: manages keys and their roles.
struct KeyCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "key",
    abstract: "Create and revoke keys.",
    subcommands: [
      KeyAddCommand.self, KeyListCommand.self, KeyRevokeCommand.self, KeyRotateCommand.self,
    ])
}

/// `fovea host key list`: lists the keys without their secrets.
struct KeyListCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "List a host's keys.")

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

/// `fovea host key revoke`: revokes a key at once.
struct KeyRevokeCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "revoke",
    abstract: "Revoke a key.",
    discussion: "Everything it signed, and the tokens it got, become invalid at once.")

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

/// `fovea host key add`: creates a key and shows it once.
struct KeyAddCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "add",
    abstract: "Create a key.",
    usage: "fovea host key add <role> [options]",
    discussion: """
      Example: fovea host key add publisher --output publisher.json

      Prints the new key, which the host cannot show again. A key of the role app is
      a text that is built into the app. A key of another role is a key file, for
      --key and for Google's clients. With --output, the key is written to a file
      that only its owner can read.

      If the last administrator's key is lost, stop the host and create another one
      with --folder.
      """)

  /// The roles of a key.
  enum Role: String, ExpressibleByArgument, CaseIterable { case admin, publisher, viewer, app }

  @Argument(help: ArgumentHelp("The key's role.", valueName: "role"))
  var role: Role

  @Option(help: ArgumentHelp("The key's name in lists and the audit log.", valueName: "text"))
  var name: String?

  @Option(help: ArgumentHelp("Expiry, such as 2027-06-15 or 2027-06-15T12:00:00Z.", valueName: "date"))
  var expires: Expiry?

  @Option(help: ArgumentHelp("Your domain: Google's clients then never call Google.", valueName: "domain"))
  var universe: String?

  @Option(help: ArgumentHelp("A new file for the key, instead of printing it.", valueName: "file"))
  var output: String?

  @OptionGroup var place: StoppedHostOption

  @OptionGroup var client: ClientOptions

  func validate() throws {
    try place.check(client)
    guard universe == nil || role != .app else { throw ValidationError("--universe is not for apps.") }
    if let universe, !HostName.isDomain(universe) {
      throw ValidationError(
        "--universe takes a domain name such as my.domain, got \(HostName.shown(universe)).")
    }
  }

  /// A day, at whose start a key expires, or a time; both in UTC.
  struct Expiry: ExpressibleByArgument, Equatable {
    let time: Timestamp

    init?(argument: String) {
      guard let time = Timestamp(text: argument.utf8.count == 10 ? argument + "T00:00:00Z" : argument)
      else {
        return nil
      }
      self.time = time
    }
  }

  private struct App: Decodable { let key: String }

  func run() async throws {
    try await CommandEnd.onFailure { () throws(HostError) in
      guard let output else {
        let reply = try await add()
        return try CommandEnd.print(client.output.json ? reply.json.trimmedLine : text(reply))
      }
      // Reserve the file before the key is created: it is shown only once.
      try SecretFile.reserve(output)
      do throws(HostError) { try SecretFile.write(try await text(add()), to: output) } catch {
        SecretFile.discard(output)
        throw error
      }
      try CommandEnd.print(
        client.output.json ? JSONText.line { $0.member("output", output) } : "\(output.printable)\n")
    }
  }

  private func add() async throws(HostError) -> HostClient.Reply {
    let properties = KeyProperties(
      HostKey.Role(rawValue: role.rawValue) ?? .viewer, label: name, universe: universe,
      expires: expires?.time)
    guard let folder = place.folder else { return try await client.client().addKey(properties) }
    let made = try await HostFolder(folder).addKey(properties, now: SystemClock.now)
    return HostClient.Reply(json: made.text)
  }

  private func text(_ reply: HostClient.Reply) throws(HostError) -> String {
    role == .app ? try reply.decode(App.self).key + "\n" : reply.json.trimmedLine
  }
}

/// `fovea host key rotate`: creates a new secret for the host's own signatures.
struct KeyRotateCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "rotate",
    abstract: "Change the secret that signs tokens and addresses.",
    discussion: """
      Earlier signatures work until they expire. If the secret itself has leaked,
      rotate twice: all of them become invalid at once, and apps register again.
      """)

  @OptionGroup var place: StoppedHostOption

  @OptionGroup var client: ClientOptions

  func validate() throws { try place.check(client) }

  func run() async throws {
    guard let folder = place.folder else {
      return try await client.run { host throws(HostError) in
        try await host.rotateRing()
      } text: { _ throws(HostError) in
        Self.done
      }
    }
    try await CommandEnd.onFailure { () throws(HostError) in
      try await HostFolder(folder).rotateRing(now: SystemClock.now)
      try CommandEnd.print(client.output.json ? JSONText.line { _ in } : Self.done)
    }
  }

  private static let done = "rotated\n"
}
#endif
