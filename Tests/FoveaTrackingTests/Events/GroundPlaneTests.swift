// SPDX-License-Identifier: Apache-2.0

import FoveaGeometry
import Testing

@testable import FoveaTracking

@Suite struct GroundPlaneTests {
  /// A camera 7 metres above the ground, with a focal length of 1,000 pixels and the middle at (640, 360).
  struct Camera: Sendable {
    /// The angle below the horizon, in degrees.
    let pitch: Double

    /// Returns the pixel of a place that is `x` metres to the right and `y` metres ahead.
    func pixel(_ x: Double, _ y: Double) -> PixelPoint {
      let (sine, cosine) = (sin(pitch * .pi / 180), cos(pitch * .pi / 180))
      let depth = y * cosine + 7 * sine
      return PixelPoint(x: 640 + 1_000 * x / depth, y: 360 + 1_000 * (7 * cosine - y * sine) / depth)
    }

    /// The near side of the rectangle, before the middle of the image.
    var near: Double { 0.8 * 7 / tan(pitch * .pi / 180) }

    /// A rectangle of 6 × 20 metres.
    func plane() throws -> GroundPlane {
      try GroundPlane(
        [(-3, near), (3, near), (3, near + 20), (-3, near + 20)].map { pixel($0.0, $0.1) }, width: 6,
        length: 20)
    }

    func box(_ x: Double, _ y: Double) -> BoundingBox {
      let foot = pixel(x, y)
      return BoundingBox(x: foot.x - 20, y: foot.y - 80, width: 40, height: 80)
    }
  }

  @Test(arguments: [15.0, 25, 35], [-8.0, -4, 0, 4, 8, 12])
  func `10 metres per second are 10 at every distance and pitch`(_ pitch: Double, _ distance: Double) throws {
    let camera = Camera(pitch: pitch)
    var motion = GroundMotion(on: try camera.plane())
    // Away at 8 m/s and to the right at 6 m/s, at 25 frames a second.
    let start = (x: -4.0, y: camera.near + distance)
    var last: GroundMotion.Sight?
    for frame in 0...25 {
      let time = Double(frame) / 25
      let place = (x: start.x + 6 * time, y: start.y + 8 * time)
      last = motion.update([7: camera.box(place.x, place.y)], seconds: 100 + time)[7]
      let sight = try #require(last)
      #expect(
        abs(sight.place.x - (place.x + 3)) < 1e-6 && abs(sight.place.y - (place.y - camera.near)) < 1e-6)
      #expect((sight.speed == nil) == (time < 0.5))
    }
    let sight = try #require(last)
    #expect(abs((sight.speed ?? 0) - 10) < 0.01)
    #expect(abs((sight.heading ?? 0) - 36.87) < 0.01)
  }

  @Test(arguments: [15.0, 25, 35])
  func `accuracy is the metres of a pixel`(_ pitch: Double) throws {
    let camera = Camera(pitch: pitch)
    let plane = try camera.plane()
    let foot = camera.pixel(1, camera.near + 15)
    let place = try #require(plane.place(of: foot))
    let moved = try [(0.01, 0.0), (0, 0.01), (0.006, 0.008)].map { step in
      let next = try #require(plane.place(of: PixelPoint(x: foot.x + step.0, y: foot.y + step.1)))
      return PixelVector(x: next.x - place.x, y: next.y - place.y).length * 100
    }
    #expect(moved.allSatisfy { $0 <= place.accuracy * 1.001 })
    #expect((moved.max() ?? 0) > place.accuracy * 0.95)
  }

  @Test func `a place far outside, above the horizon, or of a coarse pixel is not known`() throws {
    let camera = Camera(pitch: 15)
    let plane = try camera.plane()
    let near = camera.near
    #expect(plane.place(of: camera.pixel(5.9, near + 10)) != nil)
    #expect(plane.place(of: camera.pixel(6.1, near + 10)) == nil)
    #expect(plane.place(of: camera.pixel(0, near + 29.9)) != nil)
    #expect(plane.place(of: camera.pixel(0, near + 30.1)) == nil)
    #expect(plane.place(of: PixelPoint(x: 640, y: -200)) == nil)
    #expect(plane.place(of: PixelPoint(x: .nan, y: 300)) == nil)
    #expect(plane.place(of: PixelPoint(x: 1e300, y: 1e300)) == nil)
    // The same rectangle, declared five times as large.
    let coarse = try GroundPlane(plane.corners, width: 30, length: 100)
    #expect(coarse.place(of: camera.pixel(0, near + 19)) == nil)
    #expect(coarse.place(of: camera.pixel(0, near)) != nil)
  }

  @Test func `speeds follow the last second, and lost objects are forgotten`() throws {
    let camera = Camera(pitch: 25)
    var motion = GroundMotion(on: try camera.plane())
    func speed(_ time: Double, _ y: Double?) -> Double? {
      let box = y.map { [1: camera.box(0, camera.near + $0)] } ?? [:]
      return motion.update(box, seconds: time)[1]?.speed
    }
    for frame in 0..<20 { _ = speed(Double(frame) / 10, 5) }
    #expect(abs((speed(2, 5) ?? -1)) < 1e-6)
    for frame in 1...9 { _ = speed(2 + Double(frame) / 10, 5 + Double(frame) / 2) }
    #expect(abs((speed(3, 10) ?? 0) - 5) < 1e-6)
    #expect(speed(3.5, nil) == nil)
    #expect(speed(4.6, 10) == nil)
    #expect(speed(.nan, 10) == nil)
    #expect(abs((speed(5.2, 13) ?? 0) - 5) < 1e-6)
  }

  @Test func `frames of one time count once`() throws {
    let camera = Camera(pitch: 25)
    var motion = GroundMotion(on: try camera.plane())
    var speed: Double?
    for frame in 0...10 {
      // The last of the places at a time counts.
      for y in [3, 5 + Double(frame) / 2] {
        speed = motion.update([1: camera.box(0, camera.near + y)], seconds: Double(frame) / 10)[1]?.speed
      }
    }
    #expect(abs((speed ?? 0) - 5) < 1e-6)
  }

  @Test func `a rotated frame has the same places`() throws {
    let camera = Camera(pitch: 25)
    let plane = try camera.plane()
    let size = PixelSize(width: 1_280, height: 720)
    for orientation in [Orientation.right, .left, .down, .upMirrored] {
      let rotated = try plane.rotated(by: orientation, stored: size)
      let foot = camera.pixel(1, camera.near + 7)
      let place = rotated.place(of: orientation.uprightPoint(fromStored: foot, stored: size))
      #expect(abs((place?.x ?? 0) - 4) < 1e-9 && abs((place?.y ?? 0) - 7) < 1e-9)
    }
  }

  struct RefusedCase: Sendable, CustomTestStringConvertible {
    var testDescription: String { message }
    let corners: [(Double, Double)]
    var sides = (6.0, 20.0)
    let message: String
  }

  @Test(arguments: [
    RefusedCase(corners: [(0, 0), (9, 0), (9, 9)], message: "The ground has 3 corners; 4 expected"),
    RefusedCase(
      corners: [(0, 0), (9, 0), (.nan, 9), (0, 9)],
      message: "Corner 3 of the ground is (nan, 9.0); numbers within ±1000000.0 expected"),
    RefusedCase(
      corners: [(0, 0), (9, 0), (9, 0.5), (0, 9)],
      message: "Corner 2 of the ground, (9.0, 0.0), is less than a pixel from the next"),
    RefusedCase(
      corners: [(0, 0), (5, 0), (9, 0), (0, 9)],
      message: "Corner 2 of the ground, (5.0, 0.0), is on a line with its neighbours"),
    RefusedCase(
      corners: [(0, 0), (9, 9), (9, 0), (0, 9)],
      message: "The corners of the ground do not form the image of a rectangle"),
    RefusedCase(
      corners: [(0, 0), (9, 0), (2, 2), (0, 9)],
      message: "The corners of the ground do not form the image of a rectangle"),
    RefusedCase(
      corners: [(0, 0), (9, 0), (9, 9), (0, 9)], sides: (0, 20),
      message: "A side of the ground is 0.0 metres; more than 0 and at most 10000 expected"),
    RefusedCase(
      corners: [(0, 0), (9, 0), (9, 9), (0, 9)], sides: (6, .infinity),
      message: "A side of the ground is inf metres; more than 0 and at most 10000 expected"),
  ])
  func `ground that is not a rectangle is refused`(_ row: RefusedCase) {
    let error = #expect(throws: CountingError.self) {
      try GroundPlane(
        row.corners.map { PixelPoint(x: $0.0, y: $0.1) }, width: row.sides.0, length: row.sides.1)
    }
    #expect(error?.message == row.message && error?.code == .invalidGround)
  }
}
