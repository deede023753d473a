// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore
import FoveaHost
import FoveaTesting
import Testing

@Suite struct ProgramModelRunnerTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  struct Script: CustomTestStringConvertible, Sendable {
    let testDescription: String
    /// A replacement for `fovea`.
    let text: String
    let verdict: ModelVerdict
  }

  static let answer =
    #"{"family": "ssd", "inputs": [{"shape": [1, 300, 200, 3]}], "labels": {"count": 7}, "confidences": null, "run": {"milliseconds": 1.5}}"#

  static var facts: ModelFacts {
    var facts = ModelFacts()
    (facts.kind, facts.family, facts.labelCount) = ("detector", "ssd", 7)
    (facts.inputHeight, facts.inputWidth, facts.milliseconds) = (300, 200, 1.5)
    return facts
  }

  @Test(arguments: [
    Script(testDescription: "an answer", text: "echo '\(answer)'", verdict: .facts(facts)),
    Script(testDescription: "noise", text: "echo no", verdict: .refused("its description cannot be read")),
    Script(testDescription: "nothing", text: "true", verdict: .refused("its description cannot be read")),
    Script(
      testDescription: "a reason with the path", text: "echo first >&2; echo \"$3: is bad\" >&2; exit 1",
      verdict: .refused("the file: is bad")),
    Script(
      testDescription: "a reason with the path in quotes",
      text: "echo \"Fovea cannot use '$3': it is bad\" >&2; exit 1",
      verdict: .refused("Fovea cannot use the file: it is bad")),
    Script(
      testDescription: "a reason with the path of a model in quotes",
      text: "echo \"The model '$3' failed: '$3' is bad\" >&2; exit 1",
      verdict: .refused("The model failed: the file is bad")),
    Script(
      testDescription: "the program's reason",
      text: "echo 'fovea: It has no input. Give another.' >&2; exit 1",
      verdict: .refused("It has no input. Give another")),
    Script(testDescription: "no reason", text: "exit 1", verdict: .refused("running it failed")),
    Script(
      testDescription: "an escape", text: "printf 'a\\033[1m' >&2; exit 1",
      verdict: .refused("a\\u{1b}[1m")),
    Script(
      testDescription: "a crash", text: "kill -SEGV $$",
      verdict: .refused("running it ended the process (signal 11)")),
    Script(
      testDescription: "a flood", text: "exec cat /dev/zero",
      verdict: .refused("its description is longer than 1 MiB")),
    Script(
      testDescription: "a flood of messages", text: "exec cat /dev/zero >&2",
      verdict: .refused("its description is longer than 1 MiB")),
    Script(
      testDescription: "a hang", text: "exec sleep 1000",
      verdict: .refused("running it took more than 1 s")),
    Script(
      testDescription: "a hang with closed streams", text: "exec >&- 2>&-; exec sleep 1000",
      verdict: .refused("running it took more than 1 s")),
  ])
  func `any behaviour of the program gives a verdict`(row: Script) async throws {
    let program = try folder.write("fovea", "#!/bin/sh\n\(row.text)\n")
    try #require(unsafe chmod(program, 0o700) == 0)
    var runner = ProgramModelRunner(program: program)
    runner.limit = .seconds(row.testDescription.hasPrefix("a hang") ? 1 : 60)
    #expect(try await runner.run(folder["model"]) == row.verdict)
  }

  @Test func `a host without LiteRT is not the fault of the file`() async throws {
    let program = try #require(BuiltProgram.path)
    let script = "#!/bin/sh\nFOVEA_LITERT_LIBRARY=/none exec '\(program)' \"$@\"\n"
    let fovea = try folder.write("fovea", script)
    try #require(unsafe chmod(fovea, 0o700) == 0)
    let model = try folder.write("model", ModelServer.detector)
    let error = await #expect(throws: HostError.self) {
      try await ProgramModelRunner(program: fovea).run(model)
    }
    #expect(error?.message == "The host cannot run models: its program 'fovea' does not find LiteRT")
  }

  @Test func `the program gets its limits, and no secret`() async throws {
    let program = try folder.write("fovea", "#!/bin/sh\necho \"$@\" $(env | cut -d= -f1) >&2; exit 1\n")
    try #require(unsafe chmod(program, 0o700) == 0)
    var runner = ProgramModelRunner(program: program)
    runner.memory = 1_000
    try folder.write("model", [1, 2, 3])
    guard case .refused(let text) = try await runner.run(folder["model"]) else { return }
    #expect(
      text.hasPrefix("model inspect the file --run --json --limit-memory 1006 --limit-seconds 30 "))
    #expect(!text.contains("FOVEA_MODEL_HOST") && !text.contains("FOVEA_FAIL_AT"))
  }

  @Test(arguments: ["", "#!/bin/sh\nexit 64\n"])
  func `a missing program, or one of another version, is the host's fault`(text: String) async throws {
    if !text.isEmpty {
      let program = try folder.write("fovea", text)
      try #require(unsafe chmod(program, 0o700) == 0)
    }
    let error = await #expect(throws: HostError.self) {
      try await ProgramModelRunner(program: folder["fovea"]).run(folder["model"])
    }
    #expect(error?.code == .unavailable && error?.description.contains(folder.path) == false)
  }

  @Test(.enabled(if: BuiltProgram.path != nil, "needs the program next to the tests"))
  func `the program itself runs a model, and rejects one that takes too much`() async throws {
    var runner = ProgramModelRunner(program: try #require(BuiltProgram.path))
    let path = try folder.write("m.tflite", TestModel.runnable().bytes())
    guard case .facts(let facts) = try await runner.run(path) else {
      Issue.record("it was refused: \(try await runner.run(path))")
      return
    }
    #expect(facts.milliseconds ?? -1 >= 0)
    #expect(facts.kind == "classifier")
    runner.memory = 1 << 20
    guard case .refused = try await runner.run(path) else {
      Issue.record("it ran in 1 MiB")
      return
    }
  }
}
#endif
