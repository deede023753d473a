// SPDX-License-Identifier: Apache-2.0

import FoveaTesting
import Testing

@testable import Fovea

/// Boxes and motion between stored and upright frames.
@Suite struct FrameOrientationTests {
  @Test(arguments: Orientation.allCases)
  func `a box that moves with the stored image moves with the upright one`(_ orientation: Orientation)
    throws
  {
    let turn = FrameOrientation(try Scripted.frame(1, orientation: orientation))
    var random = SeededGenerator(seed: 11)
    for _ in 0..<50 {
      let motion = CameraMotion(
        a: random.number(0.9...1.1), b: random.number(-0.1...0.1), c: random.number(-0.1...0.1),
        d: random.number(0.9...1.1), dx: random.number(-20...20), dy: random.number(-20...20))
      let (x, y) = (random.number(0...640), random.number(0...480))
      let moved = (
        x: motion.a * x + motion.b * y + motion.dx, y: motion.c * x + motion.d * y + motion.dy
      )
      let start = turn.upright(BoundingBox(minX: x, minY: y, maxX: x, maxY: y))
      let end = turn.upright(BoundingBox(minX: moved.x, minY: moved.y, maxX: moved.x, maxY: moved.y))
      let turned = turn.upright(motion)
      // Pixels; they only differ by rounding.
      #expect(abs(turned.a * start.minX + turned.b * start.minY + turned.dx - end.minX) < 1e-9)
      #expect(abs(turned.c * start.minX + turned.d * start.minY + turned.dy - end.minY) < 1e-9)
      #expect(abs(turn.stored(start).minX - x) < 1e-9)
      #expect(abs(turn.stored(start).minY - y) < 1e-9)
    }
  }
}
