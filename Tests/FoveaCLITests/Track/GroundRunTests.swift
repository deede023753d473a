// SPDX-License-Identifier: Apache-2.0

import Fovea
import FoveaTesting
import Testing

@testable import FoveaCLI

/// Runs of `fovea track --ground` on given boxes, on a ground of ten pixels a metre.
@Suite struct GroundRunTests {
  private static let ground = ["--ground", "100,300,200,300,200,100,100,100=10x20"]

  /// A walker who goes away at 1.5 m/s; the foot is at x = 150 and y = 290 − 3 × frame / 2.
  private static func folder() throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    try folder.write(
      "det.txt", (0...20).map { "\($0 + 1),-1,130,\(210 - 1.5 * Double($0)),40,80,0.9\n" }.joined())
    return folder
  }

  /// Returns a number of a JSON object.
  private static func number(_ name: String, _ line: Substring) -> Double? {
    let start = line.firstRange(of: "\"\(name)\": ")?.upperBound
    return start.flatMap { Double(line[$0...].prefix { $0 != "," && $0 != "}" }) }
  }

  @Test func `objects have a place and a speed`() async throws {
    let folder = try Self.folder()
    let outcome = try await TrackOutcome.of(
      [folder["det.txt"], "--frame-rate", "10", "-o", folder["o.jsonl"], "-q"] + Self.ground, in: folder)
    #expect(outcome.code == 0 && outcome.errors == "")
    let lines = try folder.read("o.jsonl").split(separator: "\n")
    #expect(lines.count == 21)
    #expect(
      lines[0].contains(#""ground": {"x": 5, "y": 1, "speed": null, "heading": null, "accuracy": 0.1}"#))
    // Boxes are filtered, so the speed is not exact.
    let last = try #require(lines.last)
    #expect(abs((Self.number("speed", last) ?? 0) - 1.5) < 0.1)
    #expect(Self.number("heading", last) == 0)
  }

  @Test func `outside the ground, the place is null`() async throws {
    let folder = try Self.folder()
    let outcome = try await TrackOutcome.of(
      [
        folder["det.txt"], "--frame-rate", "10", "--format", "jsonl", "-q", "--ground",
        "500,300,600,300,600,100,500,100=10x20",
      ], in: folder)
    #expect(outcome.output.split(separator: "\n").allSatisfy { $0.contains(#""ground": null"#) })
  }

  @Test func `times of frames are needed`() async throws {
    let folder = try Self.folder()
    let outcome = try await TrackOutcome.of(
      [folder["det.txt"], "--format", "jsonl", "-q"] + Self.ground, in: folder)
    #expect(outcome.code == 1)
    #expect(outcome.errors.contains("--ground needs the times of frames, and the boxes have no frame rate"))
  }

  @Test func `corners that are not a rectangle's are a usage error`() throws {
    let error = #expect(throws: FoveaError.self) {
      try TrackPlan(
        try TrackOutcome.command(["a.mp4", "--format", "jsonl", "--ground", "0,0,5,0,9,0,0,9=6x20"]))
    }
    #expect(error.map(CommandFailure.isUsage) == true)
  }
}
