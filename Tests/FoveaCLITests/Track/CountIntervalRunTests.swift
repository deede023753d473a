// SPDX-License-Identifier: Apache-2.0

import FoveaTesting
import Testing

@testable import FoveaCLI

/// Runs of `fovea track --counts-every` on given boxes.
@Suite struct CountIntervalRunTests {
  private static let zone = ["--zone", "drive=203,200,317,200,317,400,203,400", "--counts-every", "5s"]

  /// A walker of 6 pixels a frame, who is inside from 3.0 to 5.0 seconds.
  private static func folder() throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    try folder.write("det.txt", (1...80).map { "\($0),-1,\(6 * $0),220,40,80,0.9\n" }.joined())
    return folder
  }

  @Test func `each interval has a row, and no boxes are printed`() async throws {
    let folder = try Self.folder()
    let outcome = try await TrackOutcome.of(
      [folder["det.txt"], "--frame-rate", "10", "-o", folder["c.csv"]] + Self.zone, in: folder)
    #expect(outcome.code == 0)
    #expect(
      try folder.read("c.csv") == """
        start,end,shape,name,in,out,entered,left,vanished,distinct,inside,inside_mean,inside_max
        0,5,zone,drive,,,1,0,0,1,1,0.4,1
        5,7.9,zone,drive,,,0,1,0,0,0,0,0

        """)
    #expect(outcome.errors.hasSuffix("zone drive: 0 inside, 1 entered, 1 left, 0 vanished, 1 different\n"))
  }

  @Test(
    arguments: [
      ("60s", 60), ("15m", 900), ("1h", 3_600), ("24h", 86_400), ("1", 1), ("1000ms", 1), ("25h", nil),
      ("0.5s", nil), ("-5s", nil), ("s", nil), ("5 s", nil), ("nan", nil), ("", nil),
    ] as [(String, Double?)])
  func `an interval is a second to a day`(_ text: String, _ seconds: Double?) {
    #expect(IntervalArgument(argument: text)?.seconds == seconds)
  }

  @Test func `without frames there is a header`() async throws {
    let folder = try Self.folder()
    try folder.write("det.txt", "")
    let outcome = try await TrackOutcome.of([folder["det.txt"], "-q"] + Self.zone, in: folder)
    #expect(outcome.code == 0)
    #expect(
      outcome.output
        == "start,end,shape,name,in,out,entered,left,vanished,distinct,inside,inside_mean,inside_max\n")
  }

  @Test func `times of frames are needed`() async throws {
    let folder = try Self.folder()
    let outcome = try await TrackOutcome.of([folder["det.txt"], "-q"] + Self.zone, in: folder)
    #expect(outcome.code == 1)
    #expect(
      outcome.errors.contains("--counts-every needs the times of frames, and the boxes have no frame rate"))
  }
}
