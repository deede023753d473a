// SPDX-License-Identifier: Apache-2.0

import Foundation
import FoveaGeometry
import Testing

@testable import FoveaImage
@testable import FoveaRender

@Suite struct ReportPartsTests {
  @Test func `percentiles are right within one percent`() {
    var histogram = DurationHistogram()
    #expect(histogram.milliseconds(atShare: 0.5) == 0)
    histogram.add(.zero)
    histogram.add(.nanoseconds(900))
    #expect(histogram.count == 0)
    // 1, 2, …, 1000 ms in no order.
    for value in 0..<1_000 { histogram.add(.milliseconds((value * 617) % 1_000 + 1)) }
    for (share, exact) in [(0.0, 1.0), (0.5, 500), (0.95, 950), (1, 1_000)] {
      let measured = histogram.milliseconds(atShare: share)
      #expect(abs(measured - exact) <= exact * 0.0101, "\(share): \(measured)")
    }
    // Larger values count as the last step.
    histogram.add(.seconds(1_000_000_000))
    #expect(histogram.count == 1_001)
    #expect(histogram.milliseconds(atShare: 1) > 1e7)
  }

  static let bins: [(Double, Int?)] = [
    (0.0, 0), (0.049, 0), (0.05, 1), (0.15, 3), (0.3, 6), (0.95, 19), (1, 19), (7, 19), (-1, 0),
    (.infinity, 19),
    (-.infinity, 0), (.nan, nil),
  ]

  @Test(arguments: bins)
  func `a score falls into its bar`(_ score: Double, _ bin: Int?) {
    #expect(ReportSummary.bin(of: score) == bin)
  }

  @Test(arguments: [
    (PixelSize(width: 640, height: 480), PixelSize(width: 320, height: 240)),
    (PixelSize(width: 480, height: 640), PixelSize(width: 240, height: 320)),
    (PixelSize(width: 20, height: 10), PixelSize(width: 20, height: 10)),
    (PixelSize(width: 65_535, height: 1), PixelSize(width: 320, height: 1)),
    (PixelSize(width: 0, height: 0), PixelSize(width: 1, height: 1)),
  ])
  func `a thumbnail keeps proportions and is never empty`(_ size: PixelSize, _ expected: PixelSize) {
    #expect(Thumbnail.size(of: size, longestSide: 320) == expected)
  }

  @Test func `a thumbnail is a small image with the same content`() throws {
    let canvas = PixelCanvas(size: PixelSize(width: 640, height: 320), filled: RGBColor(hex: 0x2060C0))
    let image = try EncodedImage(bytes: canvas.encoded(as: .png), name: "blue.png")
    for thumbnail in [
      try Thumbnail(of: image, longestSide: 64), try Thumbnail(of: canvas, longestSide: 64),
    ] {
      #expect(thumbnail.size == PixelSize(width: 64, height: 32))
      let back = try EncodedImage(bytes: thumbnail.jpeg, name: "t.jpg")
      #expect(back.format == .jpeg && back.size == thumbnail.size)
      let color = try back.canvas().color(32, 16)
      #expect(
        abs(Int(color.red) - 0x20) < 8 && abs(Int(color.green) - 0x60) < 8 && abs(Int(color.blue) - 0xC0) < 8)
    }
  }

  @Test func `a damaged image has no thumbnail but an error`() throws {
    let canvas = PixelCanvas(size: PixelSize(width: 64, height: 64), filled: .white)
    let bytes = try canvas.encoded(as: .jpeg)
    let image = try EncodedImage(bytes: Array(bytes.prefix(bytes.count - 40)), name: "torn.jpg")
    #expect(throws: ImageError.self) { try Thumbnail(of: image) }
  }

  private static let overlay = CardOverlay(
    frame: PixelSize(width: 320, height: 240), imageSize: PixelSize(width: 640, height: 480),
    showsShapes: true, keypointThreshold: 0.3)

  /// An object with a mask of 80 × 80 cells over the whole image; 0.5 is the probability at its edge.
  private static func finding(
    _ probability: (_ column: Int, _ row: Int) -> Double
  ) throws -> HTMLReport.Finding {
    let cells = (0..<6_400).map { UInt8(min(max(probability($0 % 80, $0 / 80), 0), 1) * 255) }
    let box = BoundingBox(x: 0, y: 0, width: 640, height: 480)
    return .init(
      label: "cat", score: 0.5, box: box, mask: try ObjectMask(cells: cells, columns: 80, region: box))
  }

  /// The distance from the middle of all cells.
  private static func distance(_ column: Int, _ row: Int) -> Double {
    let (x, y) = (Double(column) - 39.5, Double(row) - 39.5)
    return (x * x + y * y).squareRoot()
  }

  @Test func `a hole's outline runs the other way round`() throws {
    let ring = try Self.finding { column, row in
      let distance = Self.distance(column, row)
      return 0.5 + min(36 - distance, distance - 16) / 20
    }
    let mark = try #require(Self.overlay.marks([ring]).compactMap(\.self).first)
    let areas = mark.mask.map { points in
      zip(points, points.dropFirst() + points.prefix(1)).map { $0.x * $1.y - $1.x * $0.y }.reduce(0, +)
    }
    #expect(areas.count == 2 && areas[0] > 0 && areas[1] < 0)
  }

  @Test func `masks are drawn until their points reach the limit`() throws {
    // 3,200 diamonds of 4 × 3 pixels have more points than the limit.
    let noise = try Self.finding { column, row in (column + row).isMultiple(of: 2) ? 1 : 0 }
    let disc = try Self.finding { column, row in 0.5 + (36 - Self.distance(column, row)) / 20 }
    let findings = [noise] + [HTMLReport.Finding](repeating: disc, count: 99)
    let marks = Self.overlay.marks(findings[...]).compactMap { $0 }
    let counts = marks.map { $0.mask.reduce(0) { $0 + $1.count } }
    #expect(marks.count == 100 && counts[0] == 0 && (12...60).contains(counts[1]))
    let drawn = counts.dropFirst().prefix { $0 > 0 }
    #expect(drawn.count == CardOverlay.pointLimit / counts[1] && Set(drawn).count == 1)
    #expect(counts.dropFirst(1 + drawn.count).allSatisfy { $0 == 0 })
  }

  /// A person whose 17 points lie on a diagonal; the first is below the threshold of 0.3.
  private static let person = HTMLReport.Finding(
    label: "person", score: 0.5, box: BoundingBox(x: 0, y: 0, width: 640, height: 480),
    keypoints: (0..<17).map { PixelPoint(x: Double($0) * 20, y: Double($0) * 10) },
    keypointScores: [0.29] + [Float](repeating: 0.3, count: 16), keypointSet: .body)

  @Test func `a skeleton has the points from the threshold on, and the lines between them`() throws {
    let mark = try #require(Self.overlay.marks([Self.person]).compactMap(\.self).first)
    let skeleton = try #require(mark.skeleton)
    let places = (1..<17).map { PixelPoint(x: 10 * Double($0), y: 5 * Double($0)) }
    #expect(skeleton.joints.map(\.point) == places)
    #expect(skeleton.joints.map(\.side) == (1..<17).map { $0.isMultiple(of: 2) ? .right : .left })
    // Two of the 19 lines begin at the nose.
    #expect(skeleton.bones.count == 17)
  }

  @Test(arguments: [(0, 1), (50, 1), (100, 1), (400, 4)] as [(Double, Double)])
  func `the lines of a small face are thin, those of a hand are not`(_ side: Double, _ width: Double) {
    func skeleton(_ set: KeypointSet) -> Skeleton {
      let points = set.points.indices.map {
        PixelPoint(x: 7, y: Double($0) / Double(set.points.count - 1) * side)
      }
      return Skeleton(points, [], of: set, threshold: 0.3)
    }
    #expect(abs(skeleton(.faceMesh).widestLine - width) < 1e-9 && skeleton(.faceMesh).joints.isEmpty)
    #expect(skeleton(.hand).widestLine == .infinity)
  }

  @Test func `skeletons are drawn until their points reach the limit`() {
    let marks = Self.overlay.marks([HTMLReport.Finding](repeating: Self.person, count: 100)[...])
    // 16 points, and 17 lines with two each.
    #expect(marks.prefix { $0?.skeleton != nil }.count == CardOverlay.pointLimit / 50)
  }

  @Test func `the chip of a rotated box is at its upper corner`() throws {
    let rotated = OrientedBox(center: PixelPoint(x: 320, y: 240), width: 300, height: 60, angle: 0.5)
    let finding = HTMLReport.Finding(label: "cat", score: 0.5, box: rotated.hull, orientedBox: rotated)
    let mark = try #require(Self.overlay.marks([finding]).compactMap(\.self).first)
    // The upper corner is at x = 101.4, the left one at x = 87.
    #expect(mark.chip?.place.minX == 100)
    #expect(mark.corners.map(\.x).min() ?? 0 < 88)
  }

  private static func points(_ places: [(Double, Double)]) -> [PixelPoint] {
    places.map { PixelPoint(x: $0.0, y: $0.1) }
  }

  private static let square = points([(0, 0), (40, 0), (40, 40), (0, 40)])
  private static let speck = points([(0, 0), (0.4, 0), (0.4, 0.4), (0, 0.4)])
  private static let sliver = points([(0, 0), (90, 0.2), (90, 0.4), (0, 0.4)])
  /// A square with points along its edges.
  private static let dotted = (0..<160).map { step in
    let (edge, place) = (step / 40, Double(step % 40))
    return switch edge {
    case 0: PixelPoint(x: place, y: 0)
    case 1: PixelPoint(x: 40, y: place)
    case 2: PixelPoint(x: 40 - place, y: 40)
    default: PixelPoint(x: 0, y: 40 - place)
    }
  }

  static let reductions: [([PixelPoint], [PixelPoint])] = [
    ([], []), (Array(square.prefix(1)), []), (Array(square.prefix(2)), []), (square, square),
    (dotted, square), (speck, []), (sliver, []),
  ]

  @Test(arguments: reductions)
  func `points on an edge are left out`(_ points: [PixelPoint], _ expected: [PixelPoint]) {
    #expect(OutlineReduction.reduced(points, tolerance: 0.5) == expected)
  }

  @Test func `no point is farther from the reduced outline than the tolerance`() throws {
    let circle = (0..<1_000).map { step in
      let angle = Double(step) / 500 * .pi
      return PixelPoint(x: 50 * cos(angle), y: 50 * sin(angle))
    }
    let reduced = OutlineReduction.reduced(circle, tolerance: 0.5)
    #expect((12...25).contains(reduced.count) && Set(reduced).isSubset(of: circle))
    for (start, end) in zip(reduced, reduced.dropFirst() + reduced.prefix(1)) {
      let middle = PixelPoint(x: (start.x + end.x) / 2, y: (start.y + end.y) / 2)
      #expect(50 - (middle.x * middle.x + middle.y * middle.y).squareRoot() <= 0.501)
    }
  }
}
