// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore
import FoveaTesting
import Testing

@testable import FoveaServerCLI

@Suite(
  .timeLimit(.minutes(5)),
  .enabled(if: BuiltProgram.server != nil, "needs the program next to the tests: swift build"))
struct ServerSignalTests {
  private static func has(_ name: String, _ port: Int) -> Bool {
    ServerProbe.answer("/v1/models", port)?.body.contains("\"name\": \"\(name)\"") == true
  }

  /// Adds a model to the configuration, then damages it; the server's log is in the folder.
  /// - Returns: Whether both models are there at the end.
  private static func reload(
    _ server: ChildProcess, _ port: Int, _ folder: TemporaryFolder, _ model: String
  ) throws -> [Bool] {
    try ServerProbe.wait("it has the first model") { has("one", port) }
    try folder.write("serve.json", #"{"models": {"one": "\#(model)", "two": "\#(model)"}}"#)
    server.send(SIGHUP)
    try ServerProbe.wait("it has the second model") { has("two", port) }
    try folder.write("serve.json", #"{"models": "#)
    server.send(SIGHUP)
    try ServerProbe.wait("it has read the damaged file") {
      (try? folder.read("log"))?.contains("configuration not read") == true
    }
    let found = [has("one", port), has("two", port)]
    server.send(SIGTERM)
    return found
  }

  /// Whether `env` starts programs with blocked signals.
  private static var hasBlockingEnv: Bool {
    #if canImport(Glibc)
    true
    #else
    false
    #endif
  }

  private static func endTwice(_ server: ChildProcess, _ port: Int) throws {
    try ServerProbe.wait("it is ready") { ServerProbe.status("/readyz", port) == 200 }
    server.send(SIGTERM)
    try ServerProbe.wait("it is not ready") { ServerProbe.status("/readyz", port) == 503 }
    try ServerProbe.end(server, port)
  }

  @Test func `SIGHUP reloads the configuration, and an invalid one changes nothing`() async throws {
    let folder = try TemporaryFolder()
    let model = PackageRoot.path + "/Sources/C/CEmbeddedModels/models/localizer_int8.tflite"
    let config = try folder.write("serve.json", #"{"models": {"one": "\#(model)"}}"#)
    let program = try #require(BuiltProgram.server)
    let port = try ReservedPort()
    // Its log is read while it runs.
    let server = try ChildProcess(
      "/bin/sh",
      [
        "-c", "log=$1; shift; exec \"$0\" \"$@\" 2>\"$log\"", program, folder["log"], "serve", "--config",
        config,
        "--listen", "127.0.0.1:\(port.number)",
      ])
    let names = try await onOwnThread {
      try Self.reload(server, port.number, folder, model)
    }
    #expect(names == [true, true])
    let end = try await server.outcome()
    let log = try folder.read("log")
    #expect(end.code == 0, "\(log)")
  }

  @Test(
    .enabled(if: ServerSignalTests.hasBlockingEnv, "needs an env that blocks signals, as GNU's"),
    arguments: ["serve --listen 127.0.0.1:0", "host serve models --listen 127.0.0.1:0"], ["TERM", "INT"])
  func `a signal before it listens ends it with exit code 0`(_ words: String, _ signal: String) async throws {
    let program = try #require(BuiltProgram.server)
    let folder = try TemporaryFolder()
    let made = try await ChildProcess.run(
      program, ["host", "init", folder["models"], "--project", "my-project"])
    #expect(made.code == 0, "\(made.messages)")
    // Blocked until the program unblocks it, it arrives as early as a signal can.
    let end = try await ChildProcess.run(
      "/usr/bin/env",
      [
        "--block-signal=\(signal)", "/bin/sh", "-c", "kill -\(signal) $$; exec \"$@\"", "sh", program,
      ] + words.split(separator: " ").map(String.init), folder: folder.path, limit: .seconds(60))
    #expect(end.code == 0 && end.output.isEmpty && end.messages.isEmpty, "\(end.output)\(end.messages)")
  }

  @Test(arguments: [
    ("serve", true), ("serve --slots 2", true), ("host serve models", true), ("serve key add k", false),
    ("serve healthcheck", false), ("serve --check-config --config c", false), ("host key list", false),
    ("host", false), ("", false), ("healthcheck", false), ("serve --help", false),
  ])
  func `the arguments of a server are known before they are parsed`(_ words: String, _ isServer: Bool) {
    #expect(FoveaServerCommand.startsServer(words.split(separator: " ").map(String.init)) == isServer)
  }

  @Test func `a second signal ends a server that still drains`() async throws {
    let folder = try TemporaryFolder()
    let program = try #require(BuiltProgram.server)
    let made = try await ChildProcess.run(
      program, ["host", "init", folder["models"], "--project", "my-project"])
    #expect(made.code == 0, "\(made.messages)")
    let port = try ReservedPort()
    let server = try ChildProcess(
      program,
      ["host", "serve", folder["models"], "--listen", "127.0.0.1:\(port.number)", "--drain-delay", "10m"])
    try await onOwnThread { try Self.endTwice(server, port.number) }
    let end = try await server.outcome()
    #expect(end.code == 128 + SIGTERM, "\(end.messages)")
    #expect(end.messages.contains("ended at once by a second signal"))
  }
}
#endif
