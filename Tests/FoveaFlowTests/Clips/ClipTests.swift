// SPDX-License-Identifier: Apache-2.0

import FoveaTesting
import Testing

@Suite(.enabled(if: SharedData.isPresent, Comment(rawValue: SharedData.missing)))
struct ClipTests {
  /// A little below what was measured, and not below what issue 5 asks for. For comparison, OpenCV's CSRT: 0.77, 0.80, 0.75, 0.81.
  @Test(
    "Boxes stay on their objects between two runs of the detector",
    arguments: [
      ("Couple", 10, 0.83), ("Crossing", 10, 0.79), ("Couple", 30, 0.79), ("Crossing", 30, 0.78),
    ])
  func success(clip: String, interval: Int, least: Double) throws {
    let found = try Clip(clip).success(detectingEvery: interval)
    #expect(found >= least, "\(clip), every \(interval) frames: \(found)")
  }
}
