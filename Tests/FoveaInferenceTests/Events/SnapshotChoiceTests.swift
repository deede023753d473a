// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaGeometry
import FoveaTracking
import Testing

@testable import FoveaInference

@Suite struct SnapshotChoiceTests {
  struct Row: Sendable, CustomTestStringConvertible {
    let testDescription: String
    /// The quality and the time of each frame.
    let frames: [(quality: Double, seconds: Double)]
    /// The indexes of the chosen frames.
    let chosen: [Int]
  }

  private static func quality(_ value: Double) -> SightQuality {
    // More than a tenth of the frame, so the quality is the score.
    SightQuality(
      BoundingBox(x: 10, y: 10, width: 50, height: 50), score: value, in: PixelSize(width: 200, height: 100))
  }

  @Test(arguments: [
    Row(testDescription: "no frame", frames: [], chosen: []),
    Row(testDescription: "one frame", frames: [(0.1, 5)], chosen: [0]),
    Row(testDescription: "as good as before", frames: [(0.5, 0), (0.5, 2)], chosen: [0]),
    Row(testDescription: "better by less than a tenth", frames: [(0.5, 0), (0.54, 2)], chosen: [0]),
    Row(testDescription: "better by more", frames: [(0.5, 0), (0.56, 2)], chosen: [0, 1]),
    Row(testDescription: "in small steps", frames: [(0.5, 0), (0.54, 2), (0.56, 4)], chosen: [0, 2]),
    Row(testDescription: "worse", frames: [(0.5, 0), (0.2, 2)], chosen: [0]),
    Row(
      testDescription: "within a second", frames: [(0.2, 0), (0.4, 0.5), (0.8, 0.75), (0.6, 1)],
      chosen: [0, 3]),
    Row(
      testDescription: "a second after each", frames: [(0.2, 0), (0.4, 1), (0.8, 1.5), (0.8, 2)],
      chosen: [0, 1, 3]),
    Row(testDescription: "a source that steps back", frames: [(0.2, 1e9), (0.4, 0)], chosen: [0, 1]),
    Row(testDescription: "times that are not numbers", frames: [(0.2, .nan), (0.4, .nan)], chosen: [0]),
    Row(
      testDescription: "not visible, or not a number", frames: [(0, 0), (.nan, 1), (0.1, 1.5), (0, 3)],
      chosen: [2]),
  ])
  func `a better frame replaces the snapshot, at most once a second`(_ row: Row) {
    var choice = SnapshotChoice()
    let chosen = row.frames.map { choice.update(Self.quality($0.quality), at: $0.seconds) }
    #expect(chosen.indices.filter { chosen[$0] } == row.chosen)
  }
}
#endif
