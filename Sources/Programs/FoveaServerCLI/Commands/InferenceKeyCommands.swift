// SPDX-License-Identifier: Apache-2.0
#if Server
import ArgumentParser
import FoveaCore
import FoveaInference

/// `fovea serve key`: manages the access keys of an inference server.
struct InferenceKeyCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "key",
    abstract: "Create, list and revoke keys.",
    subcommands: [
      InferenceKeyAddCommand.self, InferenceKeyListCommand.self, InferenceKeyRevokeCommand.self,
    ])
}

/// The file that the key commands work on.
struct KeyFileOption: ParsableArguments {
  // Not --keys: the parser of 'fovea serve' takes that option even after a subcommand's name.
  @Option(
    help: ArgumentHelp(
      "The key file given to 'fovea serve --keys' (default: keys.json).", valueName: "file"))
  var file: String?

  /// Returns the file given here or by the parent's `--keys`.
  /// - Throws: `ValidationError` if both are given, or if the parent has other options, which have no effect
  ///   here.
  func path(_ server: InferenceCommand) throws -> String {
    try server.refuseOptions(besides: "keys", "does not change keys")
    guard file == nil || server.keys == nil else {
      throw ValidationError("--file and --keys both name the key file: give only one.")
    }
    return file ?? server.keys ?? "keys.json"
  }
}

/// `fovea serve key revoke`: revokes a key.
struct InferenceKeyRevokeCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "revoke", abstract: "Revoke a key.")

  @Argument(help: ArgumentHelp("The key's name.", valueName: "name"))
  var name: String

  @ParentCommand var server: InferenceCommand
  @OptionGroup var file: KeyFileOption
  @OptionGroup var output: JSONOption

  func run() async throws {
    let path = try file.path(server)
    try await CommandEnd.printing { () throws(FoveaError) in
      var keys = try AccessKeyFile(path)
      try keys.revoke(name)
      try keys.write()
      return output.json ? JSONText.line { $0.member("revoked", name) } : "\(name.printable) is revoked\n"
    }
  }
}

/// `fovea serve key add`: creates a key and shows it once.
struct InferenceKeyAddCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "add",
    abstract: "Create a key.",
    discussion: """
      Example: fovea serve key add camera --rate 50/s

      Prints the key once: the file stores only its SHA-256. Clients send it in the
      header 'Authorization: Bearer KEY'. A running server reloads the file when it
      changes.
      """)

  @Argument(help: ArgumentHelp("The key's name.", valueName: "name"))
  var name: String

  @Option(help: ArgumentHelp("Any of infer, live, streams, models, metrics.", valueName: "list"))
  var scope = ScopeList([.infer, .live, .streams])

  @Option(help: ArgumentHelp("The request limit, such as 50/s or 10/m.", valueName: "rate"))
  var rate: RequestRate?

  @ParentCommand var server: InferenceCommand
  @OptionGroup var file: KeyFileOption
  @OptionGroup var output: JSONOption

  func run() async throws {
    let path = try file.path(server)
    try await CommandEnd.printing { () throws(FoveaError) in
      var keys = try AccessKeyFile(path, mayBeMissing: true)
      let secret = try keys.add(name, scopes: scope.scopes, rate: rate?.perSecond)
      try keys.write()
      return output.json ? JSONText.line { $0.member("key", secret) } : "\(secret)\n"
    }
    // On standard error, so that a script gets only the key.
    if !output.json { CommandEnd.warn("Send this key in the header 'Authorization: Bearer KEY'.") }
  }
}

/// Scopes separated by commas.
struct ScopeList: ExpressibleByArgument, Equatable {
  let scopes: Set<AccessKey.Scope>

  init(_ scopes: Set<AccessKey.Scope>) { self.scopes = scopes }

  init?(argument: String) {
    var scopes: Set<AccessKey.Scope> = []
    for word in argument.split(separator: ",", omittingEmptySubsequences: false) {
      guard let scope = AccessKey.Scope(rawValue: String(word)) else { return nil }
      scopes.insert(scope)
    }
    self.scopes = scopes
  }

  var defaultValueDescription: String { ScopeList.text(scopes) }

  /// Lists the scopes in the order of the help.
  static func text(_ scopes: Set<AccessKey.Scope>) -> String {
    AccessKey.Scope.allCases.filter(scopes.contains).map(\.rawValue).joined(separator: ",")
  }
}

/// A request rate: `50/s`, `10/m`, `500/h`.
struct RequestRate: ExpressibleByArgument, Equatable {
  let perSecond: Double

  init?(argument: String) {
    let parts = argument.split(separator: "/", omittingEmptySubsequences: false)
    let units = ["s": 1.0, "m": 60, "h": 3_600]
    guard parts.count == 2, let count = Int(parts[0]), (1...1_000_000).contains(count),
      let unit = units[String(parts[1])]
    else { return nil }
    perSecond = Double(count) / unit
  }
}

/// `fovea serve key list`: lists the keys without their secrets.
struct InferenceKeyListCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "List a server's keys.")

  @ParentCommand var server: InferenceCommand
  @OptionGroup var file: KeyFileOption
  @OptionGroup var output: JSONOption

  func run() async throws {
    let path = try file.path(server)
    try await CommandEnd.printing { () throws(FoveaError) in
      let keys = try AccessKeyFile(path).keys
      return output.json ? json(keys) : text(keys)
    }
  }

  private func text(_ keys: [AccessKey]) -> String {
    TextTable.text(
      [["NAME", "SCOPES", "RATE"]]
        + keys.map { key in
          [
            key.name, ScopeList.text(key.scopes),
            key.rate.map { DecimalText.short($0, places: 3) + "/s" } ?? "–",
          ]
        })
  }

  private func json(_ keys: [AccessKey]) -> String {
    JSONText.line { json in
      json.objects("keys", keys) { json, key in
        json.member("name", key.name)
        json.member("scopes", ScopeList.text(key.scopes))
        json.member("rate", key.rate, places: 3)
      }
    }
  }
}
#endif
