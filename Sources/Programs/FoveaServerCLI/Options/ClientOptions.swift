// SPDX-License-Identifier: Apache-2.0
#if Server
import ArgumentParser
import FoveaCore
import FoveaHost

/// What every command that talks to a host takes.
struct ClientOptions: ParsableArguments {
  /// The variable of the environment that names a key file.
  static let variable = "FOVEA_HOST_KEY"
  static let defaultKey = "keys/admin.json"

  @Option(
    help: ArgumentHelp(
      "The key file, which names the host (default: FOVEA_HOST_KEY, else keys/admin.json).",
      valueName: "file"))
  var key: String?

  @OptionGroup var output: JSONOption

  /// A client of the host that the key file names.
  func client() throws(HostError) -> HostClient {
    let path = keyFile(Environment.value(Self.variable))
    let client = try HostClient(keyFile: path, now: SystemClock.now)
    do throws(HostError) { try SecretFile.check(path) } catch {
      // Where secrets are mounted, their owner has no say in it: a warning.
      CommandEnd.warn("\(error.message.sentence) \(error.remedy.description.sentence)")
    }
    return client
  }

  /// The key file: the one that is given, else the environment's, else that of the folder one is in.
  func keyFile(_ environment: String?) -> String { key ?? environment ?? Self.defaultKey }

  /// Asks the host, and prints its answer: as it came, or as text.
  func run(
    _ ask: (HostClient) async throws(HostError) -> HostClient.Reply,
    text: (HostClient.Reply) throws(HostError) -> String
  ) async throws {
    try await CommandEnd.onFailure { () throws(HostError) in
      let reply = try await ask(client())
      try CommandEnd.print(output.json ? reply.json.trimmedLine : text(reply))
    }
  }

  /// Asks the host, and prints its answer: as it came, or what `text` makes of it.
  func run<Answer: Decodable>(
    printing text: (Answer) -> String, _ ask: (HostClient) async throws(HostError) -> HostClient.Reply
  ) async throws {
    try await run(ask) { reply throws(HostError) in text(try reply.decode(Answer.self)) }
  }
}

/// `--json`.
struct JSONOption: ParsableArguments {
  @Flag(help: "Print one line of JSON.")
  var json = false
}

extension String {
  /// The text with exactly one end of line.
  var trimmedLine: String {
    var text = self[...]
    while text.last?.isNewline == true { text.removeLast() }
    return text + "\n"
  }
}

/// `--folder`: the folder of a host that does not run, for what else asks a host that does.
struct StoppedHostOption: ParsableArguments {
  @Option(help: ArgumentHelp("The folder of a host that is stopped, instead of --key.", valueName: "dir"))
  var folder: String?

  /// - Throws: `ValidationError` where a running host is named as well.
  func check(_ client: ClientOptions) throws {
    guard folder == nil || client.key == nil else {
      throw ValidationError("--folder is for a host that is stopped, --key for one that runs: give one.")
    }
  }
}
#endif
