// SPDX-License-Identifier: Apache-2.0
#if Server
import FoundationEssentials
import FoveaCore
import FoveaTesting
import Testing

/// Publishes that compare, with the programs and a running host.
@Suite(
  .timeLimit(.minutes(5)),
  .enabled(
    if: BuiltProgram.server != nil && BuiltProgram.path != nil,
    "needs the programs next to the tests: swift build"))
struct PublishComparisonTests {
  private static let fixtures = PackageRoot.path + "/Tests/Fixtures/"
  private static let photo = fixtures + "images/colors.png"

  /// Runs a host of an empty folder while `body` runs.
  static func withHost(
    in folder: TemporaryFolder, _ body: ([String]) async throws -> Void
  ) async throws {
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
      program, ["host", "serve", folder["host"], "--listen", "127.0.0.1:\(port.number)"])
    try await onOwnThread {
      try ServerProbe.wait("it is ready") { ServerProbe.status("/readyz", port.number) == 200 }
    }
    try await body(["--key", folder["host/keys/admin.json"]])
    host.send(SIGTERM)
    #expect(try await host.outcome().code == 0)
  }

  /// Starts a publish whose temporary files are in `tmp` of the folder.
  private static func publish(
    _ arguments: [String], in folder: TemporaryFolder
  ) throws -> ChildProcess {
    var environment = ProcessInfo.processInfo.environment
    environment["TMPDIR"] = folder["tmp"]
    return try ChildProcess(
      try #require(BuiltProgram.server), ["host", "publish"] + arguments, environment: environment)
  }

  /// A classifier of colours, and one that calls each colour another.
  static func models(in folder: TemporaryFolder) throws -> (right: String, wrong: String) {
    let right = fixtures + "models/described_classify.tflite"
    var bytes = try SmallFile.bytes(of: right, limit: 1 << 20)
    func matrix(_ numbers: [Float]) -> [UInt8] {
      numbers.flatMap { number in (0..<4).map { UInt8(truncatingIfNeeded: number.bitPattern >> (8 * $0)) } }
    }
    let place = try #require(bytes.firstRange(of: matrix([1, 0, 0, 0, 1, 0, 0, 0, 1])))
    bytes.replaceSubrange(place, with: matrix([0, 1, 0, 0, 0, 1, 1, 0, 0]))
    return (right, try folder.write("wrong.tflite", bytes))
  }

  @Test func `a version that disagrees with the stable one is not published`() async throws {
    let folder = try TemporaryFolder()
    try folder.write("tmp/other", "")
    let (right, wrong) = try Self.models(in: folder)
    let other = Self.fixtures + "models/ssd.tflite"
    for name in ["a.jpg", "b.jpg"] { try folder.write("bad/" + name, "text") }
    try await Self.withHost(in: folder) { key in
      /// A publish, its exit code, and a part of its output or of its messages.
      let rows: [(arguments: [String], code: Int32, output: String, message: String)] = [
        (
          [right, "--compare-with", "stable"], 0, "bird version 1 is stable",
          "'bird' has no stable version yet: there is nothing to compare with."
        ),
        (
          [right, "--compare-with", "stable"], 0,
          "compared with bird version 1 on 1 photo\nagreement    100 % of first labels: 1 of 1;", ""
        ),
        (
          [right, "--compare-with", "1", "--json"], 0,
          #""comparison": {"schema": "compare/1", "first": "bird version 1", "second": "\#(right)", "#, ""
        ),
        (
          [wrong, "--compare-with", "stable"], 1, "agreement    0 % of first labels",
          "Nothing was published: '\(wrong)' agrees with the first model in 0 % of first labels, and 90 % are"
        ),
        ([other, "--compare-with", "stable"], 1, "", "Nothing was published: "),
        ([right, "--compare-with", "stable", "--photos", folder["none.jpg"]], 1, "", folder["none.jpg"]),
        (
          [right, "--compare-with", "stable", "--photos", folder["bad"]], 1, "",
          "Nothing was published: 2 of 3 photos cannot be read, first '\(folder["bad/a.jpg"])': "
        ),
        ([right, "--compare-with", "beta"], 1, "", "The channel 'beta' of the model 'bird' has no version"),
        ([right, "--compare-with", "7"], 1, "", "The model 'bird' has no version 7"),
        ([wrong, "--compare-with", "stable", "--at-least", "0"], 0, "bird version 2 is stable", ""),
      ]
      for row in rows {
        let publish = try Self.publish(
          row.arguments + ["--name", "bird", "--photos", Self.photo] + key, in: folder)
        let outcome = try await publish.outcome()
        #expect(outcome.code == row.code, "\(row.arguments): \(outcome.messages)")
        #expect(row.output.isEmpty || outcome.output.contains(row.output), "\(outcome.output)")
        #expect(row.message.isEmpty || outcome.messages.contains(row.message), "\(outcome.messages)")
        #expect(try Folder.names(in: folder["tmp"]) == ["other"])
      }
    }
  }

  @Test func `a signal ends a comparison, and nothing is published or left`() async throws {
    let folder = try TemporaryFolder()
    try folder.write("tmp/other", "")
    let (right, wrong) = try Self.models(in: folder)
    let photo = try SmallFile.bytes(of: Self.photo, limit: 1 << 16)
    for number in 0..<1_000 { try folder.write("photos/\(number).png", photo) }
    try await Self.withHost(in: folder) { key in
      let first = try await Self.publish([right, "--name", "bird"] + key, in: folder).outcome()
      #expect(first.code == 0, "\(first.messages)")
      let publish = try Self.publish(
        [wrong, "--name", "bird", "--compare-with", "stable", "--photos", folder["photos"]] + key, in: folder)
      try await waitUntil("the stable version is there") { try Folder.names(in: folder["tmp"]).count > 1 }
      publish.interrupt()
      let outcome = try await publish.outcome()
      #expect(outcome.code == 130 && outcome.messages.contains("Cancelled: nothing was published"))
      #expect(try Folder.names(in: folder["tmp"]) == ["other"])
      let program = try #require(BuiltProgram.server)
      let model = try await ChildProcess.run(program, ["host", "show", "bird", "--json"] + key)
      #expect(model.output.contains(#""latest": 1"#), "\(model.output)")
    }
  }
}
#endif
