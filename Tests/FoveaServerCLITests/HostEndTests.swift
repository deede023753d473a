// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore
import FoveaHost
import FoveaTesting
import Testing

@testable import FoveaServerCLI

/// The end of a host with running checks; `scripts/test-kills --term` ends hosts and servers at many moments.
@Suite(
  .timeLimit(.minutes(5)),
  .enabled(
    if: BuiltProgram.server != nil && BuiltProgram.path != nil,
    "needs the programs next to the tests: swift build"))
struct HostEndTests {
  private static let endless = PackageRoot.path + "/Tests/Fixtures/models/endless.tflite"

  /// The unreaped child processes of a process.
  private static func children(of number: Int32) -> [Int32] {
    let processes = ((try? Folder.names(in: "/proc")) ?? []).compactMap { Int32($0) }
    return processes.filter { stat($0)?.dropFirst().first == "\(number)" }
  }

  /// State and parent of a process; nil for one that is gone.
  private static func stat(_ number: Int32) -> [Substring]? {
    guard let bytes = try? SmallFile.bytes(of: "/proc/\(number)/stat", limit: 4_096) else { return nil }
    // They follow the name, which is in parentheses.
    return String(decoding: bytes, as: UTF8.self).split(separator: ")").last?.split(separator: " ")
  }

  private static func isRunning(_ number: Int32) -> Bool { stat(number).map { $0.first != "Z" } ?? false }

  struct End: Sendable, CustomTestStringConvertible {
    let signal: Int32
    let code: Int32
    var testDescription: String { "signal \(signal)" }
  }

  @Test(
    .enabled(if: FileStatus(FilePath("/proc/self/fd")) != nil, "the system does not show processes"),
    arguments: [End(signal: SIGTERM, code: 0), End(signal: SIGKILL, code: 128 + SIGKILL)])
  func `a host that ends while files are checked leaves no process and no port`(row: End) async throws {
    let folder = try TemporaryFolder()
    let program = try #require(BuiltProgram.server)
    let port = try ReservedPort()
    let made = try await ChildProcess.run(
      program,
      [
        "host", "init", folder["host"], "--project", "my-project", "--url",
        "http://127.0.0.1:\(port.number)",
      ])
    #expect(made.code == 0, "\(made.messages)")
    let arguments = [
      "host", "serve", folder["host"], "--listen", "127.0.0.1:\(port.number)", "--drain", "2s",
    ]
    let host = try ChildProcess(program, arguments)
    try await onOwnThread {
      try ServerProbe.wait("it is ready") { ServerProbe.status("/readyz", port.number) == 200 }
    }
    // Clients that keep their connections, and endless files.
    let idle = try (0..<20).map { _ in try RawConnection(port: port.number) }
    defer { withExtendedLifetime(idle) {} }
    let publishes = try (0..<3).map { number in
      try ChildProcess(
        program,
        [
          "host", "publish", Self.endless, "--name", "loop-\(number)", "--key",
          folder["host/keys/admin.json"],
        ])
    }
    try await waitUntil("a file is checked") { !Self.children(of: host.identifier).isEmpty }
    let checks = Self.children(of: host.identifier)
    // Files that a check opens itself, such as the model, are closed again.
    try await waitUntil("no check holds the host's descriptors") {
      checks.allSatisfy { OpenDescriptors.shared(by: $0) == [0, 1, 2] }
    }
    host.send(row.signal)
    let outcome = try await host.outcome()
    #expect(outcome.code == row.code, "\(outcome.messages)")
    for publish in publishes { #expect(try await publish.outcome().code == 1) }
    try await waitUntil("no check runs") { !checks.contains(where: Self.isRunning) }
    // No one else holds the port.
    let again = try ChildProcess(program, arguments)
    try await onOwnThread {
      try ServerProbe.wait("it is ready again") {
        !again.isRunning || ServerProbe.status("/readyz", port.number) == 200
      }
    }
    again.send(SIGTERM)
    #expect(try await again.outcome().code == 0)
  }

  @Test func `a client that waits for its publish has an answer before the drain ends`() async throws {
    let folder = try TemporaryFolder()
    let program = try #require(BuiltProgram.server)
    let port = try ReservedPort()
    let made = try await ChildProcess.run(
      program,
      [
        "host", "init", folder["host"], "--project", "my-project", "--url",
        "http://127.0.0.1:\(port.number)",
      ])
    #expect(made.code == 0, "\(made.messages)")
    let host = try ChildProcess(
      program, ["host", "serve", folder["host"], "--listen", "127.0.0.1:\(port.number)", "--drain", "4s"])
    let key = try SmallFile.bytes(of: folder["host/keys/admin.json"], limit: 1 << 20)
    let account = try ServiceAccount(json: key, name: "the key")
    let token = try await account.token([.publishModels], now: SystemClock.now())
    try await onOwnThread {
      try ServerProbe.wait("it is ready") { ServerProbe.status("/readyz", port.number) == 200 }
      let body = try SmallFile.bytes(of: Self.endless, limit: 1 << 24)
      let connection = try RawConnection(port: port.number)
      connection.send(
        Array(
          ("POST /v1/host/projects/my-project/models/loop/versions HTTP/1.1\r\nHost: 127.0.0.1\r\n"
            + "Authorization: Bearer \(token)\r\nContent-Length: \(body.count)\r\n\r\n").utf8) + body)
      try ServerProbe.wait("the file is checked") { !Self.children(of: host.identifier).isEmpty }
      host.send(SIGTERM)
      let answer = try HTTPAnswer(connection.readToEnd())
      #expect(answer.status == 503 && answer.headers["retry-after"] == "5", "\(answer.body)")
      #expect(answer.body.contains("nothing was published"), "\(answer.body)")
    }
    #expect(try await host.outcome().code == 0)
  }

  struct Stop: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let command: [String]
    let signals: [Int32]
    let said: String
  }

  private static let publishing = ["publish", endless, "--name", "loop"]

  @Test(
    .enabled(if: FileStatus(FilePath("/proc/self/fd")) != nil, "the system does not show processes"),
    arguments: [
      Stop(
        testDescription: "Ctrl-C", command: publishing, signals: [SIGINT],
        said: "Cancelled: nothing was published"),
      Stop(
        testDescription: "Ctrl-C that a wrapper sends again", command: publishing,
        signals: [SIGINT, SIGINT],
        said: "Cancelled: nothing was published"),
      Stop(
        testDescription: "SIGTERM", command: publishing, signals: [SIGTERM],
        said: "Cancelled: nothing was published"),
      Stop(
        testDescription: "Ctrl-C of an import", command: ["import"], signals: [SIGINT],
        said: "Cancelled: 0 of 2 files and templates were imported"),
    ])
  func `a signal ends a publish with its check, and nothing is published`(row: Stop) async throws {
    let folder = try TemporaryFolder()
    let program = try #require(BuiltProgram.server)
    let port = try ReservedPort()
    let made = try await ChildProcess.run(
      program,
      [
        "host", "init", folder["host"], "--project", "my-project", "--url",
        "http://127.0.0.1:\(port.number)",
      ])
    #expect(made.code == 0, "\(made.messages)")
    // Its log is read while it runs.
    let host = try ChildProcess(
      "/bin/sh",
      [
        "-c", "log=$1; shift; exec \"$0\" \"$@\" 2>\"$log\"", program, folder["log"], "host", "serve",
        folder["host"], "--listen", "127.0.0.1:\(port.number)", "--access-log", "all",
      ])
    try await onOwnThread {
      try ServerProbe.wait("it is ready") { ServerProbe.status("/readyz", port.number) == 200 }
    }
    let key = ["--key", folder["host/keys/admin.json"]]
    for name in ["loop", "loop2"] {
      try folder.write("in/\(name).tflite", SmallFile.bytes(of: Self.endless, limit: 1 << 24))
    }
    let place = row.command == ["import"] ? [folder["in"]] : []
    let publish = try ChildProcess(program, ["host"] + row.command + place + key)
    try await waitUntil("the command polls the check") {
      (try? folder.read("log"))?.contains("operations") == true
    }
    let checks = Self.children(of: host.identifier)
    #expect(!checks.isEmpty)
    for signal in row.signals { publish.send(signal) }
    let outcome = try await publish.outcome()
    #expect(outcome.code == 128 + row.signals[0], "\(outcome.messages)")
    #expect(outcome.messages.contains(row.said), "\(outcome.messages)")
    try await waitUntil("no check runs") { !checks.contains(where: Self.isRunning) }
    let models = try await ChildProcess.run(program, ["host", "list", "--json"] + key)
    #expect(models.code == 0 && !models.output.contains("loop"), "\(models.output)\(models.messages)")
    host.send(SIGTERM)
    #expect(try await host.outcome().code == 0)
  }
}
#endif
