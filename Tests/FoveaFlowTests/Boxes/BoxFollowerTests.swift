// SPDX-License-Identifier: Apache-2.0

import FoveaFlow
import FoveaGeometry
import Testing

@Suite struct BoxFollowerTests {
  static let boxes = [
    BoundingBox(x: 120, y: 80, width: 60, height: 90), BoundingBox(x: 20, y: 30, width: 40, height: 40),
  ]

  @Test("Boxes follow a moving image through many frames without sliding")
  func follow() throws {
    var follower = BoxFollower()
    try follower.begin(SyntheticImage().pyramid, boxes: Self.boxes)
    var pyramid = GreyPyramid()
    for frame in 1...15 {
      let (dx, dy) = (1.3 * Double(frame), -0.6 * Double(frame))
      try pyramid.update(from: SyntheticImage(dx, dy).pixels)
      let moved = try follower.advance(to: &pyramid)
      #expect(moved.count == 2)
      for (box, movement) in zip(Self.boxes, moved) {
        #expect(abs(movement.box.minX - box.minX - dx) < 0.3, "frame \(frame): \(movement)")
        #expect(abs(movement.box.minY - box.minY - dy) < 0.3, "frame \(frame): \(movement)")
      }
      #expect(follower.boxes.map(\.box) == moved.map(\.box))
      #expect(follower.boxes.map(\.anchor) == Self.boxes)
    }
  }

  @Test("A lost box stays lost until the detector runs again")
  func lost() throws {
    var follower = BoxFollower()
    var (flat, sharp) = (try SyntheticImage.flat(), try SyntheticImage().pyramid)
    follower.begin(sharp, boxes: Self.boxes)
    #expect(try follower.advance(to: &flat).allSatisfy(\.isLost))
    sharp = try SyntheticImage().pyramid
    #expect(try follower.advance(to: &sharp).allSatisfy(\.isLost))
    var next = try SyntheticImage(1, 0).pyramid
    #expect(try follower.advance(to: &next).map(\.box) == Self.boxes)
    try follower.begin(SyntheticImage().pyramid, boxes: Self.boxes)
    next = try SyntheticImage(1, 0).pyramid
    #expect(try follower.advance(to: &next).allSatisfy { !$0.isLost })
  }

  @Test("A frame of another size is an error and changes nothing")
  func otherSize() throws {
    var follower = BoxFollower()
    var other = try SyntheticImage(size: PixelSize(width: 64, height: 64)).pyramid
    #expect(throws: FlowError.self) { _ = try follower.advance(to: &other) }
    try follower.begin(SyntheticImage().pyramid, boxes: Self.boxes)
    let error = #expect(throws: FlowError.self) { _ = try follower.advance(to: &other) }
    #expect(error?.code == .sizeMismatch)
    #expect(other.size == PixelSize(width: 64, height: 64))
    var next = try SyntheticImage(1, 0).pyramid
    #expect(try follower.advance(to: &next).allSatisfy { abs($0.dx - 1) < 0.05 })
  }

  @Test("No boxes give no movements")
  func none() throws {
    var follower = BoxFollower()
    try follower.begin(SyntheticImage().pyramid, boxes: [])
    var next = try SyntheticImage(1, 0).pyramid
    #expect(try follower.advance(to: &next).isEmpty)
  }
}
