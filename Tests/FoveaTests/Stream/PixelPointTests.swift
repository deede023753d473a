// SPDX-License-Identifier: Apache-2.0

import FoveaGeometry
import Testing

@testable import Fovea

@Suite struct PixelPointTests {
  @Test func `a keypoint keeps its place in a box that moves and grows`() {
    let (source, target) = (
      BoundingBox(x: 10, y: 20, width: 40, height: 80), BoundingBox(x: 110, y: 10, width: 80, height: 40)
    )
    #expect(PixelPoint(x: 20, y: 40).moved(from: source, to: target) == PixelPoint(x: 130, y: 20))
    #expect(PixelPoint(x: 0, y: 120).moved(from: source, to: target) == PixelPoint(x: 90, y: 60))
    #expect(PixelPoint(x: 20, y: 40).moved(from: source, to: source) == PixelPoint(x: 20, y: 40))
  }

  @Test func `a box without a side moves its keypoints with its corner`() {
    let (source, target) = (
      BoundingBox(x: 10, y: 20, width: 0, height: 0), BoundingBox(x: 15, y: 30, width: 4, height: 4)
    )
    #expect(PixelPoint(x: 12, y: 20).moved(from: source, to: target) == PixelPoint(x: 17, y: 30))
  }
}
