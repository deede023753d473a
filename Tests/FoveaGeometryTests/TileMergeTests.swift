// SPDX-License-Identifier: Apache-2.0

import FoveaGeometry
import FoveaTesting
import Testing

@Suite struct TileMergeTests {
  /// Tile 0 is the whole; tiles 1 to 3 start at x = 0, 170 and 340 in the upper row (y = 0), 4 to 6 in the
  /// lower (180).
  static let layout = TileLayout(
    region: BoundingBox(x: 0, y: 0, width: 640, height: 480), tileWidth: 300, tileHeight: 300, overlap: 0.25)

  struct MergeCase: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var found: [TileDetection]
    var merged: [TileDetection]
  }

  /// A detection from x to x (and 100 to 150 in y, or y to y).
  private static func found(
    _ tile: Int, _ x: ClosedRange<Double>, _ y: ClosedRange<Double> = 100...150, score: Float = 0.5,
    class classIndex: Int? = 1
  ) -> TileDetection {
    TileDetection(
      box: BoundingBox(minX: x.lowerBound, minY: y.lowerBound, maxX: x.upperBound, maxY: y.upperBound),
      score: score, classIndex: classIndex, tile: tile)
  }

  static let cases = [
    MergeCase(testDescription: "nothing", found: [], merged: []),
    MergeCase(testDescription: "one", found: [found(2, 250...280)], merged: [found(2, 250...280)]),
    MergeCase(
      testDescription: "best first", found: [found(1, 20...60, score: 0.2), found(3, 500...560, score: 0.9)],
      merged: [found(3, 500...560, score: 0.9), found(1, 20...60, score: 0.2)]),
    MergeCase(
      testDescription: "a double in two tiles is the mean by score",
      found: [found(1, 200...240, score: 0.75), found(2, 204...244, score: 0.25)],
      merged: [found(1, 201...241, score: 0.75)]),
    MergeCase(
      testDescription: "a tie", found: [found(1, 200...240), found(2, 204...244)],
      merged: [found(1, 202...242)]),
    MergeCase(
      testDescription: "scores of zero keep a box",
      found: [found(1, 200...240, score: 0), found(2, 204...244, score: 0)],
      merged: [found(1, 200...240, score: 0)]),
    MergeCase(
      testDescription: "another class is another object",
      found: [found(1, 200...240, class: 1), found(2, 200...240, class: 2)],
      merged: [found(1, 200...240, class: 1), found(2, 200...240, class: 2)]),
    MergeCase(
      testDescription: "no classes at all",
      found: [found(1, 200...240, class: nil), found(2, 200...240, class: nil)],
      merged: [found(1, 200...240, class: nil)]),
    MergeCase(
      testDescription: "objects separated by one tile stay separate",
      found: [found(1, 200...240, score: 0.9), found(1, 202...242, score: 0.8)],
      merged: [found(1, 200...240, score: 0.9), found(1, 202...242, score: 0.8)]),
    MergeCase(
      testDescription: "neighbours in both tiles are two objects",
      found: [
        found(1, 200...240, score: 0.9), found(1, 208...248, score: 0.7),
        found(2, 200...240, score: 0.8), found(2, 208...248, score: 0.6),
      ],
      merged: [found(1, 200...240, score: 0.9), found(1, 208...248, score: 0.7)]),
    MergeCase(
      testDescription: "a cut box merges into the whole one, with the highest score",
      found: [found(1, 250...300, score: 0.9), found(2, 250...340, score: 0.4)],
      merged: [found(2, 250...340, score: 0.9)]),
    MergeCase(
      testDescription: "beyond its tile a box is not trusted",
      found: [found(1, 250...345, score: 0.9), found(2, 250...340, score: 0.4)],
      merged: [found(2, 250...340, score: 0.9)]),
    MergeCase(testDescription: "a single cut box is dropped", found: [found(1, 250...299)], merged: []),
    MergeCase(
      testDescription: "a cut box and another object", found: [found(1, 250...300), found(2, 320...360)],
      merged: [found(2, 320...360)]),
    MergeCase(
      testDescription: "halves are joined, with the lower score",
      found: [found(1, 100...300, score: 0.9), found(2, 170...400, score: 0.4)],
      merged: [found(1, 100...400, score: 0.4)]),
    MergeCase(
      testDescription: "three parts are joined",
      found: [
        found(1, 100...300, score: 0.6), found(3, 340...600, score: 0.7), found(2, 170...470, score: 0.5),
      ],
      merged: [found(3, 100...600, score: 0.5)]),
    MergeCase(
      testDescription: "parts of a large object merge into it",
      found: [
        found(0, 50...600, 50...450, score: 0.5), found(2, 170...470, 50...300, score: 0.8),
        found(4, 60...300, 180...440, score: 0.7), found(5, 200...270, 180...250, score: 0.6),
      ],
      merged: [found(0, 50...600, 50...450, score: 0.8)]),
    MergeCase(
      testDescription: "a part of another class stays",
      found: [found(0, 50...600, 50...450, score: 0.9), found(2, 200...300, score: 0.8, class: 2)],
      merged: [found(0, 50...600, 50...450, score: 0.9), found(2, 200...300, score: 0.8, class: 2)]),
    MergeCase(
      testDescription: "the region's own border cuts nothing", found: [found(1, 0...40, 0...40)],
      merged: [found(1, 0...40, 0...40)]),
    MergeCase(
      testDescription: "boxes that are not detections are left out",
      found: [
        found(1, 200...240, score: .nan), found(1, 200...240, score: .infinity), found(7, 200...240),
        found(-1, 200...240), found(1, 200...200), found(0, -Double.infinity...Double.infinity),
        TileDetection(
          box: BoundingBox(minX: .nan, minY: 0, maxX: 9, maxY: 9), score: 1, classIndex: 1, tile: 1),
        TileDetection(
          box: BoundingBox(minX: 200, minY: 100, maxX: 240, maxY: .nan), score: 1, classIndex: 1, tile: 2),
      ],
      merged: []),
  ]

  @Test(arguments: cases)
  func `each object is returned once and whole`(_ value: MergeCase) {
    #expect(Self.layout.tiles.count == 7)
    let merged = Self.layout.merged(value.found)
    expectEqual(merged, value.merged)
    expectEqual(Self.layout.merged(value.found.reversed()), merged)
  }

  private func expectEqual(_ actual: [TileDetection], _ expected: [TileDetection]) {
    #expect(actual.count == expected.count, "\(actual)")
    for (actual, expected) in zip(actual, expected) {
      #expect(actual.score == expected.score && actual.classIndex == expected.classIndex)
      #expect(actual.tile == expected.tile)
      // Averages of numbers below 1,000 in double precision.
      #expect(abs(actual.box.minX - expected.box.minX) < 1e-9, "\(actual.box)")
      #expect(abs(actual.box.maxX - expected.box.maxX) < 1e-9, "\(actual.box)")
      #expect(abs(actual.box.minY - expected.box.minY) < 1e-9, "\(actual.box)")
      #expect(abs(actual.box.maxY - expected.box.maxY) < 1e-9, "\(actual.box)")
    }
  }

  @Test func `the mask of an averaged box is that of the best tile, inside the box`() throws {
    func masked(_ tile: Int, _ x: ClosedRange<Double>, score: Float) throws -> TileDetection {
      var detection = Self.found(tile, x, score: score)
      detection.mask = try ObjectMask(cells: [255, 255, 255, 255], columns: 2, region: detection.box)
      return detection
    }
    let (best, other) = (try masked(1, 200...240, score: 0.75), try masked(2, 204...244, score: 0.25))
    for found in [[best, other], [other, best]] {
      let merged = Self.layout.merged(found)
      #expect(merged.count == 1)
      let bounds = try #require(merged.first?.mask?.bounds)
      #expect(abs(bounds.minX - 201) < 1e-9 && bounds.maxX == 240)
      #expect(bounds.minY == 100 && bounds.maxY == 150)
    }
    #expect(Self.layout.merged([best]).first?.mask == best.mask)
    // Boxes of two tiles that do not meet keep their masks.
    let away = try masked(2, 300...340, score: 0.9)
    #expect(Self.layout.merged([best, away]).map(\.mask) == [away.mask, best.mask])
  }

  /// The part of a disc that a box shows, in cells of `side` pixels.
  private static func disc(
    center: PixelPoint, radius: Double, in box: BoundingBox, side: Double = 2
  ) throws -> ObjectMask {
    let (columns, rows) = (Int(box.width / side), Int(box.height / side))
    let cells = (0..<(columns * rows)).map { cell -> UInt8 in
      let x = box.minX + (Double(cell % columns) + 0.5) * side - center.x
      let y = box.minY + (Double(cell / columns) + 0.5) * side - center.y
      return UInt8(255 * min(max((radius - (x * x + y * y).squareRoot()) / side + 0.5, 0), 1))
    }
    return try ObjectMask(cells: cells, columns: columns, region: box)
  }

  @Test func `an object joined from two tiles has the mask of both parts`() throws {
    // Tile 1 ends at x = 300, tile 2 begins at 170: none shows the disc whole.
    let (center, radius) = (PixelPoint(x: 240, y: 140), 120.0)
    let whole = BoundingBox(minX: 120, minY: 20, maxX: 360, maxY: 260)
    let parts = try [1, 2].map { tile in
      let box = whole.intersection(Self.layout.tiles[tile])
      return TileDetection(
        box: box, score: tile == 1 ? 0.75 : 0.5, classIndex: 1, tile: tile,
        mask: try Self.disc(center: center, radius: radius, in: box))
    }
    let truth = try Self.disc(center: center, radius: radius, in: whole)
    for found in [parts, parts.reversed()] {
      let merged = Self.layout.merged(found)
      #expect(merged.map(\.box) == [whole])
      let mask = try #require(merged.first?.mask)
      #expect(mask.bounds == whole)
      #expect(mask.iou(with: truth) > 0.99)
    }
    // Each part by itself covers less.
    for part in parts { #expect((part.mask?.iou(with: truth) ?? 0) < 0.9) }
    // A part without a mask adds nothing to the other's.
    var bare = parts
    bare[1].mask = nil
    #expect(Self.layout.merged(bare).first?.mask == parts[0].mask)
  }

  @Test func `masks are joined in cells of the finest, at most 512 in a row`() throws {
    let left = try ObjectMask(
      cells: [255, 255], columns: 1, region: BoundingBox(x: 0, y: 0, width: 4, height: 8))
    let right = try ObjectMask(
      cells: [0, 255, 0, 255], columns: 2, region: BoundingBox(x: 4, y: 0, width: 4, height: 8))
    let both = try #require(ObjectMask(joining: [left, right]))
    #expect(both.columns == 4 && both.rows == 2)
    #expect(both.cells == [255, 255, 0, 255, 255, 255, 0, 255])
    #expect(both.bounds == BoundingBox(x: 0, y: 0, width: 8, height: 8) && both.region == both.bounds)
    let nothing = try ObjectMask(cells: [], columns: 0, region: left.region)
    #expect(ObjectMask(joining: []) == nil && ObjectMask(joining: [nothing]) == nil)
    #expect(ObjectMask(joining: [nothing, left]) == left)
    #expect(ObjectMask(joining: [left, left]) == left)
    let far = try ObjectMask(cells: [255], columns: 1, region: BoundingBox(x: 9e6, y: 0, width: 1, height: 1))
    let wide = try #require(ObjectMask(joining: [left, far]))
    #expect(wide.columns == 512 && wide.rows == 8)
    // More pixels than a mask may have.
    let away = try ObjectMask(
      cells: [255], columns: 1, region: BoundingBox(x: 9e6, y: 9e6, width: 1, height: 1))
    #expect(ObjectMask(joining: [left, away]) == left)
  }

  @Test func `the order of the input changes nothing`() {
    var random = SeededGenerator(seed: 11)
    for _ in 0..<50 {
      var found: [TileDetection] = []
      for _ in 0..<80 {
        let tile = Int.random(in: 0..<7, using: &random)
        let shown = Self.layout.tiles[tile]
        let x = random.number(shown.minX...shown.maxX)
        let y = random.number(shown.minY...shown.maxY)
        found.append(
          Self.found(
            tile, x...(x + random.number(1...200)), y...(y + random.number(1...200)),
            score: Float(Int.random(in: 0...4, using: &random)) / 4,
            class: Int.random(in: 0...1, using: &random)))
      }
      let expected = Self.layout.merged(found)
      for detection in expected { #expect(detection.score >= 0 && !detection.box.isEmpty) }
      #expect(Self.layout.merged(found.shuffled(using: &random)) == expected)
    }
  }

  @Test func `each object that tiles show alike is returned once, at any position`() {
    var random = SeededGenerator(seed: 13)
    for _ in 0..<500 {
      let side = random.number(8...400)
      let x = random.number(0...640 - side)
      let y = random.number(0...max(1, 480 - side))
      let object = BoundingBox(minX: x, minY: y, maxX: x + side, maxY: min(y + side, 480))
      // Each tile reports its part of the object, the whole image only if it is large enough.
      var found: [TileDetection] = []
      for tile in Self.layout.tiles.indices where tile > 0 || side > 75 {
        let seen = object.intersection(Self.layout.tiles[tile])
        guard seen.area > 0.1 * object.area || seen == object else { continue }
        found.append(TileDetection(box: seen, score: 0.5, classIndex: 0, tile: tile))
      }
      let merged = Self.layout.merged(found)
      #expect(merged.count == 1, "\(object): \(merged)")
      #expect((merged.first?.box.iou(with: object) ?? 0) > 0.999, "\(object): \(merged)")
    }
  }

  @Test func `ten thousand boxes are merged quickly`() {
    let layout = TileLayout(
      region: BoundingBox(x: 0, y: 0, width: 4000, height: 3000), tileWidth: 500, tileHeight: 500,
      overlap: 0.25)
    var random = SeededGenerator(seed: 17)
    let found = (0..<10_000).map { index in
      let tile = index % layout.tiles.count
      let shown = layout.tiles[tile]
      return TileDetection(
        box: BoundingBox(
          x: random.number(shown.minX...shown.maxX), y: random.number(shown.minY...shown.maxY), width: 40,
          height: 30), score: Float(random.number(0...1)), classIndex: nil, tile: tile)
    }
    #expect(layout.merged(found).count > 1_000)
  }
}
