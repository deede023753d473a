// SPDX-License-Identifier: Apache-2.0

import FoveaGeometry
import Testing

@testable import FoveaImage

@Suite struct MeanImageTests {
  private static let size = PixelSize(width: 9, height: 3)

  private static func grey(_ level: Int) -> PixelCanvas {
    TestImage.canvas(size) { x, _ in RGB(level, level, x) }
  }

  @Test(
    arguments: [([], 0), ([40], 40), ([40, 41], 41), ([0, 255, 255], 170)] as [([Int], Int)])
  func `the mean is rounded, and black without frames`(_ levels: [Int], _ mean: Int) {
    var image = MeanImage(size: Self.size)
    for level in levels {
      let isNeeded = image.needsFrame()
      #expect(isNeeded)
      image.add(Self.grey(level))
    }
    #expect(TestImage.pixel(image.canvas(), 8, 2) == RGB(mean, mean, levels.isEmpty ? 0 : 8))
  }

  @Test func `all parts of a long video count the same, and few frames are needed`() {
    var image = MeanImage(size: Self.size)
    var used = 0
    for frame in 0..<2_048 where image.needsFrame() {
      used += 1
      image.add(Self.grey(frame < 1_024 ? 10 : 250))
    }
    #expect(used < 700)
    #expect(abs(TestImage.pixel(image.canvas(), 0, 0).red - 130) <= 2)
  }

  @Test func `a frame of another size is ignored`() {
    var image = MeanImage(size: Self.size)
    image.add(Self.grey(10))
    image.add(TestImage.canvas(PixelSize(width: 3, height: 9)) { _, _ in RGB(255, 255, 255) })
    #expect(TestImage.pixel(image.canvas(), 1, 1) == RGB(10, 10, 1))
  }
}
