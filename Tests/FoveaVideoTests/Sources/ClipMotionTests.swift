// SPDX-License-Identifier: Apache-2.0

import FoveaFlow
import FoveaTesting
import FoveaVideo
import Testing

/// The decisions of the reference of the motion gate, `gate.py`, on clips of the shared data.
///
/// Made with NumPy 2.2.6 and OpenCV 4.12.0 on the brightness of the decoded frames as PyAV 18.1.0 has it, without a
/// conversion to full range: `Gate(floor=4 * 219 / 255).step(plane, 1 / rate)`.
@Suite(.enabled(if: SharedData.isPresent && VideoLibrary.isPresent, Comment(rawValue: SharedData.missing)))
struct ClipMotionTests {
  /// The lengths of the runs of equal decisions; the first run has motion.
  private static let clips: [(name: String, rate: Double, runs: [Int])] = [
    ("intel_bottle-detection.mp4", 29.833_333_333_333_332, [1, 21, 62, 2, 17, 11, 786, 14, 275]),
    ("firebase_cat_videoplayback.mp4", 30, [129]),
    ("intel_car-detection.mp4", 12.5, [1, 52, 106, 16, 121, 17, 64]),
    (
      "intel_one-by-one-person-detection.mp4", 10,
      [1, 54, 1, 1, 103, 1, 1, 1, 10, 2, 142, 112, 598, 11, 16, 122, 218]
    ),
  ]

  #if DEBUG
  // Without optimisation a frame takes a hundred times longer.
  private static let frameLimit = 30
  private static let tested = clips.prefix(1)
  #else
  private static let frameLimit = Int.max
  private static let tested = clips[...]
  #endif

  @Test func `the decisions are those of the reference`() throws {
    var count = 0
    var different: [String] = []
    for clip in Self.tested {
      let expected = clip.runs.enumerated().flatMap { index, length in
        [Bool](repeating: index % 2 == 0, count: length)
      }
      let reader = try VideoReader(path: SharedData.path("video/\(clip.name)"))
      var gate = MotionGate()
      var image = GreyPyramid()
      var number = 0
      while number < Self.frameLimit, let frame = try reader.next() {
        try image.update(from: frame.pixels)
        let hasMotion = gate.update(image, elapsed: 1 / clip.rate)
        if number >= expected.count || hasMotion != expected[number] {
          different.append("\(clip.name) \(number + 1)")
        }
        number += 1
      }
      #expect(number == min(expected.count, Self.frameLimit))
      count += number
    }
    // The reference mirrors pixels at the edge of the image, and the pyramid repeats the last one.
    #expect(Double(different.count) <= 0.001 * Double(count), "\(different)")
  }
}
