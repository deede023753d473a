// SPDX-License-Identifier: Apache-2.0

import Foundation
import FoveaGeometry
import FoveaTesting
import Testing

@Suite struct RunLengthsTests {
  /// The masks of random polygons by pycocotools; written by Fixtures/make-run-lengths.py.
  struct Reference: Decodable {
    struct Case: Decodable {
      var width: Int
      var height: Int
      var polygons: [[Double]]
      var text: String
      var area: Int
      var box: [Double]
      var counts: [UInt32]?
      var other: Int?
      var iou: Double?
      var crowd: Double?

      var size: PixelSize { PixelSize(width: width, height: height) }
      var points: [[PixelPoint]] {
        polygons.map { numbers in
          stride(from: 0, to: numbers.count, by: 2).map { PixelPoint(x: numbers[$0], y: numbers[$0 + 1]) }
        }
      }
    }
    var pycocotools: String
    var cases: [Case]

    static func read() throws -> Reference {
      let path = PackageRoot.path + "/Tests/FoveaGeometryTests/Fixtures/run-lengths.json"
      return try JSONDecoder().decode(Reference.self, from: Data(contentsOf: URL(fileURLWithPath: path)))
    }
  }

  static let size = PixelSize(width: 4, height: 3)

  @Test func `polygons, strings, areas, boxes and overlaps are those of pycocotools`() throws {
    let reference = try Reference.read()
    #expect(reference.pycocotools == "2.0.11")
    #expect(reference.cases.count == 60)
    for (number, expected) in reference.cases.enumerated() {
      let runs = try RunLengths(polygons: expected.points, size: expected.size)
      #expect(runs.text == expected.text, "case \(number)")
      #expect(try RunLengths(text: expected.text, size: expected.size) == runs, "case \(number)")
      if let counts = expected.counts {
        #expect(runs.counts == counts, "case \(number)")
        #expect(try RunLengths(counts: counts, size: expected.size) == runs, "case \(number)")
      }
      #expect(runs.area == expected.area, "case \(number)")
      let box = runs.bounds
      #expect([box.minX, box.minY, box.width, box.height] == expected.box, "case \(number)")
      guard let other = expected.other else { continue }
      let rival = reference.cases[other]
      let overlapping = try RunLengths(polygons: rival.points, size: rival.size)
      #expect(runs.overlap(with: overlapping) == expected.iou, "case \(number)")
      #expect(runs.overlap(with: overlapping, isCrowd: true) == expected.crowd, "case \(number)")
    }
  }

  @Test(arguments: [
    ([], PixelSize(width: 0, height: 0), ""), ([0], PixelSize(width: 0, height: 5), "0"),
    ([12], size, "<"), ([0, 12], size, "0<"), ([5, 2, 5], size, "525"), ([0, 1, 0, 11], size, "010:"),
    ([3, 0, 9], size, "309"), ([4_000_000_000], PixelSize(width: 40_000, height: 100_000), "PPZfVg3"),
  ])
  func `run lengths have a string, and the string has the run lengths`(
    _ counts: [UInt32], _ size: PixelSize, _ text: String
  ) throws {
    #expect(try RunLengths(counts: counts, size: size).text == text)
    #expect(try RunLengths(text: text, size: size).counts == counts)
  }

  @Test(arguments: [
    ("/", "The string of run lengths is damaged: character 1 is not part of a number of run lengths"),
    ("5 5", "The string of run lengths is damaged: character 2 is not part of a number of run lengths"),
    ("5\u{7f}", "The string of run lengths is damaged: character 2 is not part of a number of run lengths"),
    ("5é", "The string of run lengths is damaged: character 2 is not part of a number of run lengths"),
    ("5P", "The string of run lengths is damaged: it ends within a number"),
    (
      "oooooooooo", "The string of run lengths is damaged: character 9 is not part of a number of run lengths"
    ),
    ("O", "The string of run lengths is damaged: run 1 has -1 pixels"),
    ("525L", "The string of run lengths is damaged: run 4 has -2 pixels"),
    ("ooooooo0", "The string of run lengths is damaged: run 1 has 34359738367 pixels"),
    ("", "The runs have 0 pixels together; an image of 4 × 3 has 12"),
    ("5", "The runs have 5 pixels together; an image of 4 × 3 has 12"),
    ("528", "The runs have 15 pixels together; an image of 4 × 3 has 12"),
  ])
  func `a damaged string is refused`(_ text: String, _ message: String) {
    let error = #expect(throws: GeometryError.self) { try RunLengths(text: text, size: Self.size) }
    #expect(error?.code == .runLengthsInvalid)
    #expect(error?.message == message)
  }

  @Test(arguments: [
    PixelSize(width: -1, height: 3), PixelSize(width: 3, height: -1), PixelSize(width: -2, height: -2),
    PixelSize(width: 65_536, height: 65_536), PixelSize(width: .max, height: .max),
  ])
  func `a size that no image has is refused`(_ size: PixelSize) throws {
    #expect(throws: GeometryError.self) { try RunLengths(counts: [], size: size) }
    #expect(throws: GeometryError.self) { try RunLengths(text: "", size: size) }
    #expect(throws: GeometryError.self) { try RunLengths(polygons: [], size: size) }
    let mask = try ObjectMask(cells: [255], columns: 1, region: BoundingBox(x: 0, y: 0, width: 1, height: 1))
    let error = #expect(throws: GeometryError.self) { try mask.runLengths(in: size) }
    #expect(
      error?.message
        == "An image of \(size) has no run lengths; 0 to 4,294,967,295 pixels are possible")
  }

  @Test(arguments: [
    ([UInt32](), 0), ([11], 11), ([5, 2, 4], 11), ([4_294_967_295, 4_294_967_295], 8_589_934_590),
  ])
  func `runs of another length than the image are refused`(_ counts: [UInt32], _ sum: Int) {
    let error = #expect(throws: GeometryError.self) { try RunLengths(counts: counts, size: Self.size) }
    #expect(error?.message == "The runs have \(sum) pixels together; an image of 4 × 3 has 12")
    #expect(
      error?.remedy.description
        == "Use the size of the image that the runs were made for; COCO's order is height, width")
  }

  static let line = [PixelPoint(x: 0, y: 0), PixelPoint(x: 3, y: 2)]
  static let triangle = line + [PixelPoint(x: 0, y: 2)]
  /// Returns a polygon whose edges are 2,000 pixels long.
  static func zigzag(_ count: Int) -> [PixelPoint] {
    (0..<count).map { PixelPoint(x: $0 % 2 == 0 ? -1_000 : 1_000, y: 0) }
  }

  @Test(arguments: [
    ([[]], "Polygon 1 has 0 points; at least three are needed"),
    ([triangle, line], "Polygon 2 has 2 points; at least three are needed"),
    (
      [line + [PixelPoint(x: .nan, y: 0)]],
      "Polygon 1 has the point (nan, 0), which is not near an image of 4 × 3"
    ),
    (
      [line + [PixelPoint(x: 0, y: -.infinity)]],
      "Polygon 1 has the point (0, -inf), which is not near an image of 4 × 3"
    ),
    (
      [line + [PixelPoint(x: 1e300, y: 0)]],
      "Polygon 1 has the point (1e+300, 0), which is not near an image of 4 × 3"
    ),
    ([zigzag(20_000)], "Polygon 1 has edges of more than 10,000,000 pixels, those before it included"),
    (
      [zigzag(4_000), zigzag(4_000)],
      "Polygon 2 has edges of more than 10,000,000 pixels, those before it included"
    ),
  ])
  func `an impossible polygon is refused`(_ polygons: [[PixelPoint]], _ message: String) {
    let error = #expect(throws: GeometryError.self) { try RunLengths(polygons: polygons, size: Self.size) }
    #expect(error?.message == message)
  }

  @Test func `no polygon, and one outside the image, cover nothing`() throws {
    #expect(try RunLengths(polygons: [], size: Self.size).counts == [12])
    let outside = Self.triangle.map { PixelPoint(x: $0.x + 100, y: $0.y) }
    #expect(try RunLengths(polygons: [outside], size: Self.size).counts == [12])
    #expect(try RunLengths(polygons: [Self.triangle], size: PixelSize(width: 0, height: 0)).counts == [0])
  }

  @Test func `masks of images of different sizes do not overlap`() throws {
    let first = try RunLengths(counts: [0, 12], size: Self.size)
    let second = try RunLengths(counts: [0, 12], size: Self.size.transposed)
    #expect(first.overlap(with: second) == 0)
    #expect(first.overlap(with: first) == 1)
    #expect(try RunLengths(counts: [12], size: Self.size).overlap(with: first) == 0)
  }
}
