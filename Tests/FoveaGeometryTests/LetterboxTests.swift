// SPDX-License-Identifier: Apache-2.0

import FoveaGeometry
import Testing

@Suite struct LetterboxTests {
  struct PlaceCase: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var width: Double
    var height: Double
    var placement = Letterbox.Placement.center
    var size = PixelSize(width: 64, height: 64)
    /// x, y, width, height.
    var place: [Int]
  }

  static let cases = [
    PlaceCase(testDescription: "wide", width: 320, height: 160, place: [0, 16, 64, 32]),
    PlaceCase(
      testDescription: "wide, top left", width: 320, height: 160, placement: .topLeft, place: [0, 0, 64, 32]),
    PlaceCase(testDescription: "high", width: 100, height: 200, place: [16, 0, 32, 64]),
    PlaceCase(testDescription: "the same shape", width: 640, height: 640, place: [0, 0, 64, 64]),
    PlaceCase(testDescription: "smaller than the tensor", width: 8, height: 4, place: [0, 16, 64, 32]),
    PlaceCase(testDescription: "an odd bar", width: 64, height: 63, place: [0, 0, 64, 63]),
    PlaceCase(testDescription: "rounded", width: 640, height: 427, place: [0, 10, 64, 43]),
    PlaceCase(testDescription: "a line", width: 10_000, height: 1, place: [0, 31, 64, 1]),
    PlaceCase(
      testDescription: "another shape of tensor", width: 100, height: 100,
      size: PixelSize(width: 96, height: 64),
      place: [16, 0, 64, 64]),
    PlaceCase(testDescription: "not a number", width: .nan, height: 5, place: [0, 0, 64, 64]),
    PlaceCase(testDescription: "no limit", width: .infinity, height: 5, place: [0, 31, 64, 1]),
  ]

  @Test(arguments: cases)
  func `the image touches two edges and keeps its proportions`(_ test: PlaceCase) {
    let place = Letterbox(test.placement).place(width: test.width, height: test.height, in: test.size)
    #expect([place.x, place.y, place.image.width, place.image.height] == test.place)
    #expect(place.tensor == test.size)
    #expect(place.isWhole == (test.place == [0, 0, test.size.width, test.size.height]))
  }

  @Test(
    arguments: [(640.0, 427.0), (427, 640), (500, 500), (33, 1000)], [Letterbox.Placement.center, .topLeft])
  func `the tensor's coordinates map back to the image`(
    _ size: (Double, Double), _ placement: Letterbox.Placement
  ) {
    let place = Letterbox(placement).place(
      width: size.0, height: size.1, in: PixelSize(width: 64, height: 48))
    let region = BoundingBox(x: 7, y: -3, width: size.0, height: size.1)
    let grown = place.grown(region)
    // The image's corners, as fractions of the tensor, are the region's corners.
    let corners = NormalizedBox(
      minX: Double(place.x) / 64, minY: Double(place.y) / 48,
      maxX: Double(place.x + place.image.width) / 64, maxY: Double(place.y + place.image.height) / 48)
    let back = corners.pixels(in: grown)
    for (value, expected) in [
      (back.minX, region.minX), (back.minY, region.minY), (back.maxX, region.maxX), (back.maxY, region.maxY),
    ] { #expect(abs(value - expected) < 1e-9) }
  }
}
