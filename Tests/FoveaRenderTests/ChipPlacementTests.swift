// SPDX-License-Identifier: Apache-2.0

import FoveaGeometry
import FoveaTesting
import Testing

@testable import FoveaRender

@Suite struct ChipPlacementTests {
  static let imageSize = PixelSize(width: 400, height: 300)

  static func placement(_ imageSize: PixelSize = imageSize) -> ChipPlacement {
    ChipPlacement(imageSize: imageSize, lineWidth: 2, spacing: 1)
  }

  struct PlaceCase: CustomTestStringConvertible {
    let id: String
    let box: BoundingBox
    /// The expected position of the chip of 60 × 20 pixels.
    let x: Double
    let y: Double
    var testDescription: String { id }
  }

  static let places = [
    PlaceCase(id: "free above", box: .init(x: 100, y: 100, width: 120, height: 120), x: 100, y: 82),
    PlaceCase(id: "exactly fits above", box: .init(x: 100, y: 18, width: 120, height: 120), x: 100, y: 0),
    PlaceCase(id: "one pixel short above", box: .init(x: 100, y: 17, width: 120, height: 120), x: 100, y: 17),
    PlaceCase(id: "small box at the top", box: .init(x: 100, y: 0, width: 30, height: 30), x: 100, y: 28),
    PlaceCase(id: "top left corner", box: .init(x: 0, y: 0, width: 30, height: 30), x: 0, y: 28),
    PlaceCase(id: "top right corner", box: .init(x: 370, y: 0, width: 30, height: 30), x: 340, y: 28),
    PlaceCase(id: "bottom left corner", box: .init(x: 0, y: 270, width: 30, height: 30), x: 0, y: 252),
    PlaceCase(id: "bottom right corner", box: .init(x: 370, y: 270, width: 30, height: 30), x: 340, y: 252),
    PlaceCase(id: "the whole image", box: .init(x: 0, y: 0, width: 400, height: 300), x: 0, y: 0),
    PlaceCase(id: "a thin box of full height", box: .init(x: 200, y: 0, width: 4, height: 300), x: 200, y: 0),
    PlaceCase(id: "one pixel", box: .init(x: 399, y: 0, width: 1, height: 1), x: 340, y: 0),
  ]

  @Test(arguments: places) func `a lone chip has the best position`(_ place: PlaceCase) {
    let chips = Self.placement().place([.init(box: place.box, width: 60, height: 20)])
    #expect(chips == [BoundingBox(x: place.x, y: place.y, width: 60, height: 20)])
  }

  @Test func `chips of equal boxes do not cover each other`() {
    let box = BoundingBox(x: 100, y: 100, width: 150, height: 120)
    let request = ChipPlacement.Request(box: box, width: 60, height: 20)
    let chips = Self.placement().place(Array(repeating: request, count: 8)).compactMap { $0 }
    #expect(chips.count == 8)
    for (index, one) in chips.enumerated() {
      for other in chips[..<index] { #expect(one.intersection(other).isEmpty, "\(one) covers \(other)") }
    }
  }

  @Test func `a chip next to another does not move`() {
    let left = ChipPlacement.Request(box: .init(x: 50, y: 100, width: 61, height: 50), width: 60, height: 20)
    let right = ChipPlacement.Request(
      box: .init(x: 111, y: 100, width: 61, height: 50), width: 60, height: 20)
    let chips = Self.placement().place([left, right])
    #expect(chips.map { $0?.minY } == [82, 82])
  }

  @Test(arguments: [(61, 30), (30, 31), (1, 1), (3, 2)])
  func `a chip larger than the image has no position`(_ width: Int, _ height: Int) {
    let imageSize = PixelSize(width: min(width, 60), height: min(height, 30))
    let box = BoundingBox(x: 0, y: 0, width: Double(imageSize.width), height: Double(imageSize.height))
    let chips = Self.placement(imageSize).place([.init(box: box, width: 61, height: 31)])
    #expect(chips == [nil])
  }

  @Test func `no chip leaves the image, for any box`() {
    var random = SeededGenerator(seed: 7)
    let requests = (0..<500).map { _ in
      let box = BoundingBox(
        x: random.number(0...399).rounded(), y: random.number(0...299).rounded(),
        width: random.number(1...400).rounded(), height: random.number(1...300).rounded()
      ).clamped(to: Self.imageSize)
      return ChipPlacement.Request(
        box: box, width: random.number(10...400), height: random.number(10...300))
    }
    let chips = Self.placement().place(requests)
    #expect(chips.count == 500)
    for chip in chips.compactMap({ $0 }) { #expect(chip.clamped(to: Self.imageSize) == chip) }
    #expect(chips.compactMap { $0 }.count == 500)
  }

  @Test(.timeLimit(.minutes(10))) func `ten thousand chips are placed in time`() {
    let request = ChipPlacement.Request(
      box: .init(x: 0, y: 0, width: 400, height: 300), width: 60, height: 20)
    #expect(Self.placement().place(Array(repeating: request, count: 10_000)).count == 10_000)
  }

  struct RadiiCase: CustomTestStringConvertible {
    let id: String
    let chip: BoundingBox
    /// Top left, top right, bottom right, bottom left of the chip, then of the box.
    let chipRadii: [Double]
    let boxRadii: [Double]
    var testDescription: String { id }
  }

  static let radii = [
    RadiiCase(
      id: "above", chip: .init(x: 100, y: 82, width: 60, height: 20), chipRadii: [5, 5, 0, 0],
      boxRadii: [0, 4, 4, 4]),
    RadiiCase(
      id: "above and wider", chip: .init(x: 100, y: 82, width: 200, height: 20), chipRadii: [5, 5, 5, 0],
      boxRadii: [0, 0, 4, 4]),
    RadiiCase(
      id: "inside", chip: .init(x: 100, y: 100, width: 60, height: 20), chipRadii: [7, 0, 5, 0],
      boxRadii: [4, 4, 4, 4]),
    RadiiCase(
      id: "below", chip: .init(x: 100, y: 198, width: 60, height: 20), chipRadii: [0, 0, 5, 5],
      boxRadii: [4, 4, 4, 0]),
    RadiiCase(
      id: "in the middle", chip: .init(x: 120, y: 120, width: 60, height: 20), chipRadii: [5, 5, 5, 5],
      boxRadii: [4, 4, 4, 4]),
  ]

  @Test(arguments: radii) func `corners where chip and box meet are square`(_ radii: RadiiCase) {
    let box = BoundingBox(x: 100, y: 100, width: 150, height: 100)
    let chip = CornerRadii.chip(radii.chip, on: box, lineWidth: 2, radius: 5, sharedRadius: 7)
    #expect([chip.topLeft, chip.topRight, chip.bottomRight, chip.bottomLeft] == radii.chipRadii)
    let corners = CornerRadii.box(box, chip: radii.chip, radius: 4)
    #expect([corners.topLeft, corners.topRight, corners.bottomRight, corners.bottomLeft] == radii.boxRadii)
  }
}
