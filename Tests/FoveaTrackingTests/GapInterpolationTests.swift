// SPDX-License-Identifier: Apache-2.0

import FoveaGeometry
import FoveaTracking
import Testing

@Suite struct GapInterpolationTests {
  /// A box whose left edge is ten times its frame.
  static func box(_ frame: Int, _ identity: Int = 1) -> RecordedBox {
    RecordedBox(
      frame: frame, identity: identity, box: BoundingBox(x: Double(frame) * 10, y: 0, width: 5, height: 5))
  }

  struct FillCase: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var frames: [Int]
    var longestGap = 20
    var fewestBoxes = 2
    var filled: [Int]
  }

  static let cases = [
    FillCase(testDescription: "nothing", frames: [], filled: []),
    FillCase(testDescription: "one box", frames: [3], fewestBoxes: 1, filled: [3]),
    FillCase(testDescription: "no gap", frames: [1, 2, 3], filled: [1, 2, 3]),
    FillCase(testDescription: "a gap", frames: [1, 4], filled: [1, 2, 3, 4]),
    FillCase(testDescription: "any order", frames: [4, 1], filled: [1, 2, 3, 4]),
    FillCase(testDescription: "the longest gap", frames: [1, 4], longestGap: 3, filled: [1, 2, 3, 4]),
    FillCase(testDescription: "a longer gap", frames: [1, 4], longestGap: 2, filled: [1, 4]),
    FillCase(testDescription: "too few boxes", frames: [1, 4], fewestBoxes: 3, filled: [1, 4]),
    FillCase(testDescription: "the farthest frames", frames: [.min, .max], filled: [.min, .max]),
    FillCase(testDescription: "a frame twice", frames: [1, 1, 3], filled: [1, 1, 2, 3]),
  ]

  @Test("Gaps are filled along a straight line", arguments: cases)
  func fill(_ fill: FillCase) {
    let interpolation = GapInterpolation(longestGap: fill.longestGap, fewestBoxes: fill.fewestBoxes)
    let filled = interpolation.fill(fill.frames.map { Self.box($0) })
    #expect(filled.map(\.frame) == fill.filled)
    for box in filled where box.isInterpolated {
      #expect(abs(box.box.minX - Double(box.frame) * 10) < 1e-9)
      #expect(abs(box.box.width - 5) < 1e-9)
    }
    #expect(filled.count { $0.isInterpolated } == fill.filled.count - fill.frames.count)
  }

  @Test("Gaps between different objects are not filled")
  func objects() {
    let filled = GapInterpolation(fewestBoxes: 1).fill([Self.box(1, 1), Self.box(5, 2), Self.box(3, 1)])
    #expect(filled.map(\.frame) == [1, 2, 3, 5])
    #expect(filled.map(\.identity) == [1, 1, 1, 2])
  }
}
