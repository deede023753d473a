// SPDX-License-Identifier: Apache-2.0

import FoveaGeometry
import FoveaTesting
import Testing

@testable import FoveaTraining

@Suite struct OrientationMirroredTests {
  @Test(arguments: Orientation.allCases)
  func `left and right of the upright photo are swapped, and swapping twice restores it`(
    _ orientation: Orientation
  ) {
    let stored = PixelSize(width: 40, height: 30)
    let box = BoundingBox(minX: 3, minY: 5, maxX: 12, maxY: 9)
    let upright = orientation.uprightBox(fromStored: box, stored: stored)
    let mirrored = orientation.mirrored.uprightBox(fromStored: box, stored: stored)
    let width = Double(orientation.uprightSize(ofStored: stored).width)
    #expect(
      mirrored
        == BoundingBox(
          minX: width - upright.maxX, minY: upright.minY, maxX: width - upright.minX, maxY: upright.maxY))
    #expect(orientation.mirrored.mirrored == orientation)
  }
}
