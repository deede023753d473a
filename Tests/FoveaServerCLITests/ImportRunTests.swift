// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore
import FoveaTesting
import Testing

/// Imports, with the programs and a running host.
@Suite(
  .timeLimit(.minutes(5)),
  .enabled(
    if: BuiltProgram.server != nil && BuiltProgram.path != nil,
    "needs the programs next to the tests: swift build"))
struct ImportRunTests {
  private static func run(_ arguments: [String]) async throws -> ChildProcess.Outcome {
    try await ChildProcess.run(try #require(BuiltProgram.server), ["host"] + arguments)
  }

  /// Runs a command that must succeed, and returns its output.
  @discardableResult
  private static func output(_ arguments: [String]) async throws -> String {
    let outcome = try await run(arguments)
    #expect(outcome.code == 0, "\(arguments): \(outcome.messages)")
    return outcome.output
  }

  /// Returns everything that devices and apps get.
  private static func state(_ key: [String]) async throws -> [String] {
    var state: [String] = []
    for arguments in [["show", "one", "--json"], ["show", "two", "--json"], ["config", "get"]] {
      state.append(try await output(arguments + key))
    }
    return state
  }

  @Test func `a second import moves no channel, ends no rollout and replaces no template`() async throws {
    let folder = try TemporaryFolder()
    let (right, wrong) = try PublishComparisonTests.models(in: folder)
    let files = [("one.tflite", right), ("two.tflite", wrong), ("x y.tflite", right)]
    for (name, path) in files {
      try folder.write("models/" + name, SmallFile.bytes(of: path, limit: 1 << 20))
    }
    for color in ["red", "blue"] {
      try folder.write(
        color + ".json", #"{"parameters": {"color": {"defaultValue": {"value": "\#(color)"}}}}"#)
    }
    try await PublishComparisonTests.withHost(in: folder) { key in
      let first = try await Self.run(["import", folder["models"]] + key)
      #expect(first.code == 1 && first.output == "one version 1\ntwo version 1\n", "\(first.messages)")
      let path = folder["models/x y.tflite"]
      #expect(
        first.messages.contains("fovea: \(path): 'x y' is not a valid model name."), "\(first.messages)")
      #expect(first.messages.contains("2 of 3 files and templates were imported; not imported: \(path)."))
      try await Self.output(["config", "publish", folder["red.json"]] + key)
      try await Self.output(["export", folder["copy"], "--folder", folder["host"]])
      try await Self.output(["publish", wrong, "--name", "one"] + key)
      try await Self.output(["publish", right, "--name", "two", "--channel", "beta"] + key)
      try await Self.output(["rollout", "two", "2", "--percent", "50"] + key)
      try await Self.output(["config", "publish", folder["blue.json"]] + key)
      let before = try await Self.state(key)
      let known =
        "one version 1 already has these bytes; stable stays at version 2\n"
        + "two version 1 already has these bytes\n"
      let second = try await Self.run(["import", folder["models"]] + key)
      #expect(second.code == 1 && second.output == known, "\(second.messages)")
      #expect(
        second.messages.contains(
          "0 of 3 files and templates were imported, 2 were on the host already; not imported: \(path)."),
        "\(second.messages)")
      #expect(try await Self.state(key) == before)
      let copy = try await Self.run(["import", folder["copy"]] + key)
      #expect(copy.code == 0 && copy.output == known, "\(copy.messages)")
      #expect(copy.messages.contains("because the host has version 2 of the firebase template."))
      #expect(try await Self.state(key) == before)
      // Nor is a model replaced that has a version of other bytes.
      let other = try folder.write("others/two.tflite", "other bytes")
      let others = try await Self.run(["import", folder["others"]] + key)
      #expect(others.code == 0 && others.output.isEmpty, "\(others.output)\(others.messages)")
      #expect(
        others.messages.contains(
          "'\(other)' is not imported, because the host has other versions of the model 'two'."),
        "\(others.messages)")
      #expect(others.messages.contains("host publish \(other) --name two"), "\(others.messages)")
      #expect(try await Self.state(key) == before)
      // Nor is a withdrawn version published again.
      try await Self.output(["withdraw", "one", "1"] + key)
      let withdrawn = try await Self.state(key)
      let third = try await Self.run(["import", folder["copy"]] + key)
      #expect(
        third.code == 0
          && third.output.hasPrefix("one version 1 had these bytes and was withdrawn; stable stays at"),
        "\(third.output)\(third.messages)")
      #expect(try await Self.state(key) == withdrawn)
      let json = try await Self.output(["import", folder["copy"], "--json"] + key)
      #expect(json.hasPrefix(#"{"model": "one", "version": 1, "sha256": ""#), "\(json)")
      #expect(json.contains(#""withdrawn": true, "repeated": true}"#), "\(json)")
    }
  }

  @Test func `an import repairs the files that the host's disk has changed`() async throws {
    let folder = try TemporaryFolder()
    let (right, wrong) = try PublishComparisonTests.models(in: folder)
    try await PublishComparisonTests.withHost(in: folder) { key in
      for path in [right, wrong] { try await Self.output(["publish", path, "--name", "two"] + key) }
      try await Self.output(["export", folder["copy"], "--folder", folder["host"]])
      let known = "two version 1 already has these bytes\ntwo version 2 already has these bytes\n"
      #expect(try await Self.output(["import", folder["copy"]] + key) == known)
      for path in [right, wrong] {
        var bytes = try SmallFile.bytes(of: path, limit: 1 << 20)
        let name = Hexadecimal.encode(SHA256.digest(of: bytes.span))
        bytes[bytes.count / 2] ^= 1
        try folder.write("host/blobs/sha256/\(name.prefix(2))/\(name.dropFirst(2))", bytes)
      }
      #expect(try await Self.run(["fsck", folder["host"]]).code == 1)
      #expect(
        try await Self.output(["import", folder["copy"]] + key)
          == "two version 1 already has these bytes and is now repair; its damaged file is repaired\n"
          + "two version 2 already has these bytes and is still stable: its damaged file is repaired\n")
      try await Self.output(["fsck", folder["host"]])
      #expect(try await Self.output(["import", folder["copy"]] + key) == known)
    }
  }

  @Test func `an interrupted import goes on, and moves no channel that has a version`() async throws {
    let folder = try TemporaryFolder()
    let (right, wrong) = try PublishComparisonTests.models(in: folder)
    try await PublishComparisonTests.withHost(in: folder) { key in
      try await Self.output(["publish", right, "--name", "two"] + key)
      try await Self.output(["publish", wrong, "--name", "two", "--channel", "beta"] + key)
      try await Self.output(["channel", "two", "slow", "2"] + key)
      try await Self.output(["export", folder["copy"], "--folder", folder["host"]])
      // The same models with another name.
      try folder.write("six/manifest.json", folder.read("copy/manifest.json").replacing("two", with: "six"))
      for (name, path) in [("six.tflite", right), ("six/2.tflite", wrong)] {
        try folder.write("six/" + name, SmallFile.bytes(of: path, limit: 1 << 20))
      }
      // The first version was imported, and somebody has pointed a channel at it.
      try await Self.output(["publish", right, "--name", "six"] + key)
      try await Self.output(["channel", "six", "beta", "1"] + key)
      #expect(
        try await Self.output(["import", folder["six"]] + key)
          == "six version 1 already has these bytes\nsix version 2; beta stays at version 1\n")
      let six = try await Self.output(["show", "six", "--json"] + key)
      for channel in [#""beta": 1"#, #""slow": 2"#, #""stable": 1"#] {
        #expect(six.contains(channel), "\(six)")
      }
    }
  }
}
#endif
