// SPDX-License-Identifier: Apache-2.0
#if Server
import ArgumentParser
import FoveaCore
import FoveaInference

/// `fovea serve key add`: a new key, shown once.
struct InferenceKeyAddCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "add",
    abstract: "Make a key: fovea serve key add camera --rate 50/s",
    discussion:
      "Prints the key, which the file does not keep: it has its SHA-256. A server that\nruns reads the file when it changes."
  )

  @Argument(help: ArgumentHelp("What the key is called.", valueName: "name"))
  var name: String

  @Option(help: ArgumentHelp("Of infer, live, streams, models, metrics.", valueName: "list"))
  var scope = ScopeList([.infer, .live, .streams])

  @Option(help: ArgumentHelp("The most requests, as 50/s or 10/m.", valueName: "rate"))
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
  }
}

/// Scopes with commas between them.
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

  /// In the order of the help.
  static func text(_ scopes: Set<AccessKey.Scope>) -> String {
    AccessKey.Scope.allCases.filter(scopes.contains).map(\.rawValue).joined(separator: ",")
  }
}

/// Requests in a time: `50/s`, `10/m`, `500/h`.
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
#endif
