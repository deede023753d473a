// SPDX-License-Identifier: Apache-2.0

import Fovea
import FoveaTesting
import Testing

@testable import FoveaCLI

/// Runs of `fovea track --events` on given boxes.
@Suite struct EventRunTests {
  /// A walker of 6 pixels a frame, and one who stands in the zone from frame 20 to 90.
  private static func folder() throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    let walker = (1...80).map { "\($0),-1,\(6 * $0),220,40,80,0.9\n" }
    let stander = (20...90).map { "\($0),-1,229,220,42,80,0.9\n" }
    try folder.write("det.txt", (walker + stander).joined())
    return folder
  }

  private static let zone = ["--zone", "drive=203,200,317,200,317,400,203,400"]
  private static let shapes = zone + ["--dwell", "drive=5", "--line", "door=401,200,401,400"]

  /// Returns the text of a member of a JSON object that has no comma in it.
  private static func member(_ name: String, _ line: Substring) -> String? {
    guard let start = line.firstRange(of: "\"\(name)\": ") else { return nil }
    return String(line[start.upperBound...].prefix { $0 != "," && $0 != "}" }).replacing("\"", with: "")
  }

  @Test func `zones, lines and dwell times of boxes are exact`() async throws {
    let folder = try Self.folder()
    let outcome = try await TrackOutcome.of(
      [folder["det.txt"], "--frame-rate", "10", "--events", folder["e.jsonl"], "-q"] + Self.shapes, in: folder
    )
    #expect(outcome.code == 0 && outcome.errors == "")
    let lines = try folder.read("e.jsonl").split(separator: "\n")
    #expect(lines.map { Self.member("number", $0) } == (1...lines.count).map { String($0) })
    let kinds: Set = ["entered", "left", "dwell", "crossed", "end"]
    let found = lines.compactMap { line -> String? in
      guard let kind = Self.member("event_type", line), kinds.contains(kind) else { return nil }
      let details = ["dwell", "direction", "reason"].compactMap { Self.member($0, line) }
      return ([Self.member("trackingID", line) ?? "", kind, Self.member("seconds", line) ?? ""] + details)
        .joined(separator: " ")
    }
    #expect(
      found.sorted() == [
        "1 crossed 6.4 out", "1 end 7.9 source-ended", "1 entered 3 0", "1 left 5 2", "2 dwell 7.1 5",
        "2 end 8.9 source-ended", "2 entered 2.1 0",
      ])
    #expect(lines.allSatisfy { Self.member("time", $0) == "null" })
  }

  @Test func `the first frames end with stopped, and times count from the moment of the start`() async throws
  {
    let folder = try Self.folder()
    let outcome = try await TrackOutcome.of(
      [
        folder["det.txt"], "--frame-rate", "10", "--events", folder["e.jsonl"], "-q", "--frames", "11",
        "--start-time", "2026-11-26T23:59:59.500Z",
      ], in: folder)
    #expect(outcome.code == 0)
    let lines = try folder.read("e.jsonl").split(separator: "\n")
    #expect(lines.map { Self.member("event_type", $0) } == ["start", "end"])
    #expect(lines.map { Self.member("id", $0) } == Array(repeating: "det-20261126T235959.500Z-1", count: 2))
    #expect(lines.last.flatMap { Self.member("endTime", $0) } == "2026-11-27T00:00:00.500Z")
    #expect(lines.last.flatMap { Self.member("reason", $0) } == "stopped")
  }

  @Test func `counts of zones with names have queues and stays, also without events`() async throws {
    let folder = try Self.folder()
    let outcome = try await TrackOutcome.of(
      [folder["det.txt"], "--frame-rate", "10", "--counts", "--format", "jsonl", "-q"] + Self.zone, in: folder
    )
    #expect(
      outcome.output
        == #"{"counts": {"lines": [], "zones": [{"name": "drive", "inside": 1, "entered": 2, "left": 1, "#
        + #""vanished": 0, "distinct": 2, "queue": 1, "longest": 6.8, "dwells": {"count": 1, "mean": 2, "#
        + #""max": 2}}]}}"# + "\n")
  }

  @Test func `events need the times of frames`() async throws {
    let folder = try Self.folder()
    let outcome = try await TrackOutcome.of(
      [folder["det.txt"], "--events", folder["e.jsonl"], "-q"], in: folder)
    #expect(outcome.code == 1)
    #expect(outcome.errors.contains("--events needs the times of frames, and the boxes have no frame rate"))
    #expect(outcome.errors.contains("--frame-rate"))
  }

  @Test(
    arguments: [
      (["--zone", "a=0,0,9,9"], "The zone has 2 corners; 3 to 1000 expected"),
      (["--zone", "a=0,0,9,0,9,9", "--zone", "a=0,0,5,0,5,5"], "Two zones have the name 'a'"),
      (
        ["--zone", "a/b=0,0,9,0,9,9"],
        "The name 'a/b' of a zone is not 1 to 64 letters A to Z, digits, '_' and '-'"
      ),
      (
        ["--line", "=0,0,9,9"], "The name '' of a line is not 1 to 64 letters A to Z, digits, '_' and '-'"
      ),
      (
        ["--zone", "a=0,0,9,0,9,9", "--dwell", "a=0"],
        "The dwell of zone 'a' is 0 seconds; more than 0 and at most 86400 expected"
      ),
      (
        ["--zone", "a=0,0,9,0,9,9", "--dwell", "a=31536000"],
        "The dwell of zone 'a' is 31536000 seconds; more than 0 and at most 86400 expected"
      ),
      (["--zone", "a=0,0,9,0,9,9", "--dwell", "b=5"], "There is a dwell for 'b', but no such zone"),
    ] as [([String], String)])
  func `shapes that cannot be events are refused before the first frame`(
    _ arguments: [String], _ message: String
  ) throws {
    let error = #expect(throws: FoveaError.self) {
      try TrackPlan(try TrackOutcome.command(["a.mp4", "--events", "e.jsonl"] + arguments))
    }
    #expect(error?.message == message)
  }
}
