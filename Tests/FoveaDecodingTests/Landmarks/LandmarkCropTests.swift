// SPDX-License-Identifier: Apache-2.0

import FoveaGeometry
import Testing

@testable import FoveaDecoding

@Suite struct LandmarkCropTests {
  struct Case: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var family: DetectorFamily
    var side = 224
    var points: [(Double, Double)]
    var square: OrientedBox
  }

  static func square(_ x: Double, _ y: Double, _ side: Double, _ angle: Double) -> OrientedBox {
    OrientedBox(center: PixelPoint(x: x, y: y), width: side, height: side, angle: angle)
  }

  static let box = BoundingBox(x: 100, y: 200, width: 40, height: 60)

  @Test(arguments: [
    Case(
      testDescription: "an upright body", family: .mediaPipePose,
      points: [(50, 90), (50, 50), (0, 0), (9, 9)],
      square: square(50, 90, 100, 0)),
    Case(
      testDescription: "a body that lies to the right", family: .mediaPipePose, points: [(50, 90), (90, 90)],
      square: square(50, 90, 100, .pi / 2)),
    Case(
      testDescription: "a body upside down", family: .mediaPipePose, points: [(50, 90), (50, 130)],
      square: square(50, 90, 100, .pi)),
    Case(
      testDescription: "an older body detector", family: .mediaPipePose, side: 128,
      points: [(0, 0), (9, 9), (50, 90), (50, 50)], square: square(50, 90, 120, 0)),
    Case(
      testDescription: "an upright face", family: .mediaPipeFace, points: [(110, 220), (130, 220)],
      square: square(120, 230, 90, 0)),
    Case(
      testDescription: "a face turned clockwise", family: .mediaPipeFace, points: [(120, 220), (120, 240)],
      square: square(120, 230, 90, .pi / 2)),
    Case(
      testDescription: "an upright hand", family: .mediaPipePalm, points: [(120, 250), (7, 7), (120, 210)],
      square: square(120, 200, 156, 0)),
    Case(
      testDescription: "a hand that points to the right", family: .mediaPipePalm,
      points: [(110, 230), (7, 7), (130, 230)], square: square(150, 230, 156, .pi / 2)),
  ])
  func `the square is that of MediaPipe's graphs`(_ test: Case) throws {
    let crop = try #require(LandmarkCrop(of: test.family, side: test.side))
    let points = test.points.map { PixelPoint(x: $0.0, y: $0.1) }
    let found = try #require(crop.square(box: Self.box, points: points))
    #expect(abs(found.center.x - test.square.center.x) < 1e-9, "\(found)")
    #expect(abs(found.center.y - test.square.center.y) < 1e-9, "\(found)")
    #expect(abs(found.width - test.square.width) < 1e-9 && found.height == found.width)
    #expect(abs(cos(found.angle) - cos(test.square.angle)) < 1e-9)
    #expect(abs(sin(found.angle) - sin(test.square.angle)) < 1e-9)
  }

  @Test func `without points, or with a circle of no size, there is no square`() throws {
    let crop = try #require(LandmarkCrop(of: .mediaPipePose, side: 224))
    let point = PixelPoint(x: 5, y: 5)
    #expect(crop.square(box: Self.box, points: []) == nil)
    #expect(crop.square(box: Self.box, points: [point]) == nil)
    #expect(crop.square(box: Self.box, points: [point, point]) == nil)
    #expect(crop.square(box: Self.box, points: [point, PixelPoint(x: .nan, y: 1)]) == nil)
    #expect(crop.square(box: Self.box, points: [point, PixelPoint(x: 1e200, y: 1e200)]) == nil)
  }

  @Test func `only the detectors of landmark models have a square`() {
    let families = DetectorFamily.all.filter { LandmarkCrop(of: $0, side: 224) != nil }
    let firstStages = LandmarkFamily.all.compactMap { landmarks in
      if case .mediaPipe(let family, _) = landmarks.firstStage { family } else { nil as DetectorFamily? }
    }
    #expect(Set(families) == Set(firstStages))
  }

  @Test(
    arguments: [
      // The input's width and height, the box, and the crop's width and height.
      ((192, 256), (40, 60), (56.25, 75)), ((192, 256), (60, 60), (75, 100)),
      ((256, 256), (40, 60), (75, 75)),
      ((256, 192), (40, 60), (100, 75)), ((192, 256), (45, 60), (56.25, 75)),
    ] as [((Int, Int), (Double, Double), (Double, Double))])
  func `a person's crop has the proportions of the input, and is a quarter larger than the box`(
    _ input: (Int, Int), _ box: (Double, Double), _ crop: (Double, Double)
  ) throws {
    let rule = LandmarkCrop.ofPerson(PixelSize(width: input.0, height: input.1))
    let found = try #require(
      rule.square(box: BoundingBox(x: 100, y: 200, width: box.0, height: box.1), points: []))
    #expect(found.center == PixelPoint(x: 100 + box.0 / 2, y: 200 + box.1 / 2) && found.angle == 0)
    #expect(abs(found.width - crop.0) < 1e-9 && abs(found.height - crop.1) < 1e-9, "\(found)")
  }

  @Test func `a person's box without a size has no crop, and points place none in the next frame`() {
    let rule = LandmarkCrop.ofPerson(PixelSize(width: 192, height: 256))
    for box in [
      BoundingBox(x: 1, y: 2, width: 0, height: 0), BoundingBox(minX: .nan, minY: 0, maxX: 1, maxY: 1),
      BoundingBox(minX: 0, minY: 0, maxX: .infinity, maxY: 1),
    ] {
      #expect(rule.square(box: box, points: []) == nil, "\(box)")
    }
    let points = (0..<17).map { PixelPoint(x: Double($0), y: Double($0)) }
    #expect(LandmarkFamily.rtmPose.nextSquare(points: points, helpers: []) == nil)
  }

  @Test func `the next square of a body is that of its two other points`() throws {
    let points = [PixelPoint](repeating: PixelPoint(x: 1, y: 2), count: 33)
    let helpers = [(50.0, 90.0), (90, 90), (0, 0), (0, 0), (0, 0), (0, 0)].map {
      PixelPoint(x: $0.0, y: $0.1)
    }
    let square = try #require(LandmarkFamily.body.nextSquare(points: points, helpers: helpers))
    #expect(square.center == helpers[0] && abs(square.width - 100) < 1e-9)
    #expect(abs(square.angle - .pi / 2) < 1e-9)
    #expect(LandmarkFamily.body.nextSquare(points: points, helpers: []) == nil)
    #expect(LandmarkFamily.body.nextSquare(points: helpers, helpers: helpers) == nil)
  }

  @Test func `the next square of a face encloses its points, in line with the eyes`() throws {
    var points = [PixelPoint](repeating: PixelPoint(x: 120, y: 230), count: 468)
    (points[0], points[1]) = (PixelPoint(x: 100, y: 200), PixelPoint(x: 140, y: 260))
    (points[33], points[263]) = (PixelPoint(x: 120, y: 210), PixelPoint(x: 120, y: 240))
    let irises = [PixelPoint](repeating: PixelPoint(x: 120, y: 230), count: 10)
    for (family, points) in [(LandmarkFamily.face, points), (.faceWithIrises, points + irises)] {
      let square = try #require(family.nextSquare(points: points, helpers: []))
      #expect(square.center == PixelPoint(x: 120, y: 230) && abs(square.width - 90) < 1e-9)
      #expect(abs(square.angle - .pi / 2) < 1e-9)
    }
  }

  /// The wrist and the joints of an upright hand, 40 pixels wide and 60 high, turned about the wrist.
  @Test(arguments: [0, 0.5, -2.5])
  func `the next square of a hand encloses its steady joints, turned with it`(_ angle: Double) throws {
    var upright = [PixelPoint](repeating: PixelPoint(x: 0, y: -30), count: 21)
    upright[0] = PixelPoint(x: 0, y: 0)
    (upright[5], upright[9], upright[13]) = (
      PixelPoint(x: -20, y: -55), PixelPoint(x: 0, y: -60), PixelPoint(x: 20, y: -55)
    )
    // Tips do not count.
    upright[12] = PixelPoint(x: 0, y: -500)
    let points = upright.map { point in
      PixelPoint(
        x: 300 + point.x * cos(angle) - point.y * sin(angle),
        y: 200 + point.x * sin(angle) + point.y * cos(angle))
    }
    let square = try #require(LandmarkFamily.hand.nextSquare(points: points, helpers: []))
    #expect(abs(square.width - 120) < 1e-9 && abs(cos(square.angle) - cos(angle)) < 1e-9)
    // The middle of the joints, 30 pixels above the wrist, and 6 more.
    #expect(abs(square.center.x - (300 + 36 * sin(angle))) < 1e-9)
    #expect(abs(square.center.y - (200 - 36 * cos(angle))) < 1e-9)
    let one = [PixelPoint](repeating: PixelPoint(x: 5, y: 5), count: 21)
    #expect(LandmarkFamily.hand.nextSquare(points: one, helpers: []) == nil)
  }
}
