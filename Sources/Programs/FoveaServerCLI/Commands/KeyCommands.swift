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

/// `fovea host key add`: a new key, shown once.
struct KeyAddCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "add",
    abstract: "Make a key: fovea host key add publisher --output publisher.json",
    usage: "fovea host key add <role> [options]",
    discussion:
      "Prints the key, which the host does not keep: an account for Google's clients\nand for --key, or the text of an app's key. A file of --output is its owner's\nalone. With --folder it takes the place of an administrator's key that is lost;\nthe host must not run meanwhile."
  )

  /// What a key may do.
  enum Role: String, ExpressibleByArgument, CaseIterable { case admin, publisher, viewer, app }

  @Argument(help: ArgumentHelp("What it may do.", valueName: "role"))
  var role: Role

  @Option(help: ArgumentHelp("What lists and the audit log call it.", valueName: "text"))
  var name: String?

  @Option(help: ArgumentHelp("Its end, as 2027-06-15 or 2027-06-15T12:00:00Z.", valueName: "date"))
  var expires: Expiry?

  @Option(help: ArgumentHelp("With one, Google's clients call no server of theirs.", valueName: "domain"))
  var universe: String?

  @Option(help: ArgumentHelp("A new file for the key, instead of printing it.", valueName: "file"))
  var output: String?

  @OptionGroup var place: StoppedHostOption

  @OptionGroup var client: ClientOptions

  func validate() throws {
    try place.check(client)
    guard universe == nil || role != .app else { throw ValidationError("--universe is not for apps.") }
  }

  /// A day, at whose beginning a key ends, or a moment; both in UTC.
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
      // Before the key is made: it is shown once.
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
    let order = KeyOrder(
      HostKey.Role(rawValue: role.rawValue) ?? .viewer, label: name, universe: universe,
      expires: expires?.time)
    guard let folder = place.folder else { return try await client.client().addKey(order) }
    let made = try await HostFolder(folder).addKey(order, now: SystemClock.now)
    return HostClient.Reply(json: made.text)
  }

  private func text(_ reply: HostClient.Reply) throws(HostError) -> String {
    role == .app ? try reply.decode(App.self).key + "\n" : reply.json.trimmedLine
  }
}

/// `fovea host key rotate`: a new secret for what the host itself signs.
struct KeyRotateCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "rotate",
    abstract: "Change what signs tokens and addresses: fovea host key rotate",
    discussion:
      "What the host has signed before works until it expires. Where the secret itself\nis in the wrong hands, rotate twice: all of it is void at once, and apps\nregister again."
  )

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
