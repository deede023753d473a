// SPDX-License-Identifier: Apache-2.0
#if Server
import ArgumentParser
import FoveaCore
import FoveaHost

/// The options of every command that talks to a host.
struct ClientOptions: ParsableArguments {
  /// The environment variable that names a key file.
  static let variable = "FOVEA_HOST_KEY"
  static let defaultKey = "keys/admin.json"

  @Option(
    help: ArgumentHelp(
      "The host's key file (default: FOVEA_HOST_KEY, else keys/admin.json).",
      valueName: "file"))
  var key: String?

  @OptionGroup var output: JSONOption

  /// Returns a client of the host in the key file.
  func client() throws(HostError) -> HostClient {
    let path = keyFile(Environment.value(Self.variable))
    let client = try HostClient(keyFile: path, now: SystemClock.now)
    do throws(HostError) { try SecretFile.check(path) } catch {
      // The permissions of mounted secrets cannot always be changed: only a warning.
      CommandEnd.warn("\(error.message.sentence) \(error.remedy.description.sentence)")
    }
    return client
  }

  /// Returns the given key file, else the environment's, else the one in the current folder.
  func keyFile(_ environment: String?) -> String { key ?? environment ?? Self.defaultKey }

  /// Sends a request to the host and prints its answer, as received or as text.
  func run(
    _ ask: (HostClient) async throws(HostError) -> HostClient.Reply,
    text: (HostClient.Reply) throws(HostError) -> String
  ) async throws {
    try await CommandEnd.onFailure { () throws(HostError) in
      let reply = try await ask(client())
      try CommandEnd.print(output.json ? reply.json.trimmedLine : text(reply))
    }
  }

  /// Sends a request to the host and prints its answer, as received or formatted by `text`.
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
  /// The text with exactly one trailing newline.
  var trimmedLine: String {
    var text = self[...]
    while text.last?.isNewline == true { text.removeLast() }
    return text + "\n"
  }
}

/// `--folder`: the folder of a stopped host, for commands that otherwise send a request to a running one.
struct StoppedHostOption: ParsableArguments {
  @Option(help: ArgumentHelp("The folder of a stopped host, instead of --key.", valueName: "dir"))
  var folder: String?

  /// - Throws: `ValidationError` if a running host is given too.
  func check(_ client: ClientOptions) throws {
    guard folder == nil || client.key == nil else {
      throw ValidationError("--folder is for a stopped host, --key for a running one: give only one.")
    }
  }
}
#endif
