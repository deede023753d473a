// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import FoveaTesting
import Testing

@Suite struct ChildProcessTests {
  private static func shell(
    _ script: String, joinsStreams: Bool = false, limit: Duration = .seconds(120)
  ) async throws -> ChildProcess.Outcome {
    try await ChildProcess.run("/bin/sh", ["-c", script], joinsStreams: joinsStreams, limit: limit)
  }

  @Test func `both streams and the status are returned`() async throws {
    let outcome = try await Self.shell("echo out; echo err >&2; exit 7")
    #expect(outcome.code == 7 && outcome.output == "out\n" && outcome.messages == "err\n")
    let joined = try await Self.shell("echo out; echo err >&2", joinsStreams: true)
    #expect(joined.code == 0 && joined.output == "out\nerr\n" && joined.messages.isEmpty)
  }

  @Test func `more than a pipe holds is returned, on both streams`() async throws {
    let outcome = try await Self.shell("head -c 300000 /dev/zero; head -c 300000 /dev/zero >&2")
    #expect(outcome.standardOutput.count == 300_000 && outcome.standardError.count == 300_000)
  }

  @Test func `a signal gives 128 plus its number, and Ctrl-C arrives`() async throws {
    #expect(try await Self.shell("kill -9 $$").code == 137)
    let sleeper = try ChildProcess("/bin/sleep", ["600"])
    #expect(sleeper.isRunning)
    sleeper.interrupt()
    #expect(try await sleeper.outcome().code == 130)
    #expect(!sleeper.isRunning)
    sleeper.interrupt()
  }

  @Test func `standard input is empty, and variables and folder are as given`() async throws {
    let outcome = try await ChildProcess.run(
      "/bin/sh", ["-c", "cat; pwd; echo \"$A-$HOME-$0\"", "a b"], environment: ["A": "é"], folder: "/")
    #expect(outcome.output == "/\né--a b\n")
  }

  @Test func `an endless program is ended, and fails the test`() async {
    let error = await #expect(throws: TestFailure.self) {
      try await Self.shell("echo begun; exec sleep 600", limit: .seconds(1))
    }
    #expect(
      error?.description
        == "/bin/sh -c echo begun; exec sleep 600 had not ended after 1 s; it printed: begun\n")
  }

  @Test func `a child that keeps the streams open is not awaited`() async {
    await #expect(throws: TestFailure.self) { try await Self.shell("sleep 20 & exit 0", limit: .seconds(1)) }
  }

  @Test func `a missing program is named`() async {
    let error = await #expect(throws: TestFailure.self) { try await ChildProcess.run("/no/such") }
    #expect(error?.description == "/no/such cannot be started: No such file or directory")
  }

  @Test func `a program ends with its owner`() async throws {
    let path = FileManager.default.temporaryDirectory.path + "/fovea-\(UUID().uuidString)"
    defer { try? FileManager.default.removeItem(atPath: path) }
    let number: String
    do {
      let process = try ChildProcess(
        "/bin/sh", ["-c", "echo $$ >\"$0.new\"; mv \"$0.new\" \"$0\"; exec sleep 600", path])
      try await waitUntil("the program runs") { FileManager.default.fileExists(atPath: path) }
      number = String(
        decoding: try Data(contentsOf: URL(fileURLWithPath: path)).dropLast(), as: UTF8.self)
      #expect(process.isRunning)
    }
    try await waitUntil("it is gone") { !FileManager.default.fileExists(atPath: "/proc/\(number)") }
  }

  @Test func `many at once do not hold each other's streams open`() async throws {
    try await withThrowingTaskGroup(of: String.self) { group in
      for number in 0..<40 {
        group.addTask { try await Self.shell("sleep 0.0\(number % 10); echo \(number)").output }
      }
      var outputs: Set<String> = []
      for try await output in group { outputs.insert(output) }
      #expect(outputs == Set((0..<40).map { "\($0)\n" }))
    }
  }
}
