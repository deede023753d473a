// SPDX-License-Identifier: Apache-2.0

import FoveaGeometry
import FoveaTesting
import Testing

@Suite struct ObjectMaskTests {
  static let image = PixelSize(width: 40, height: 30)

  /// A random mask: blobs, holes and noise, on a place that may reach beyond the image.
  static func random(_ seed: UInt64) throws -> ObjectMask {
    var numbers = SeededGenerator(seed: seed)
    func number(_ range: ClosedRange<Double>) -> Double { Double.random(in: range, using: &numbers) }
    let (columns, rows) = (Int.random(in: 1...12, using: &numbers), Int.random(in: 1...12, using: &numbers))
    let cells = (0..<(columns * rows)).map { _ in UInt8.random(in: 0...255, using: &numbers) }
    let region = BoundingBox(
      x: number(-20...30), y: number(-20...20), width: number(1...50), height: number(1...50))
    let bounds = BoundingBox(
      minX: region.minX + number(-3...5), minY: region.minY + number(-3...5),
      maxX: region.maxX - number(-3...0.4),
      maxY: region.maxY - number(-3...0.4))
    return try ObjectMask(
      cells: cells, columns: columns, region: region, bounds: bounds.isEmpty ? region : bounds)
  }

  static func square(_ cells: [UInt8], columns: Int, side: Double = 4) throws -> ObjectMask {
    let rows = cells.count / columns
    return try ObjectMask(
      cells: cells, columns: columns,
      region: BoundingBox(x: 0, y: 0, width: Double(columns) * side, height: Double(rows) * side))
  }

  @Test func `bitmaps, run lengths, areas and probabilities agree in every pixel`() throws {
    for seed in 0..<60 as Range<UInt64> {
      let mask = try Self.random(seed)
      let bitmap = mask.bitmap()
      #expect(bitmap.pixels.count == bitmap.size.area)
      #expect(bitmap.pixels.reduce(0) { $0 + Int($1) } == mask.area, "seed \(seed)")
      var wrong: [(Int, Int)] = []
      var inside: [UInt32] = []
      var (value, count) = (false, UInt32(0))
      for x in 0..<Self.image.width {
        for y in 0..<Self.image.height {
          let isInside = bitmap.contains(x: x, y: y)
          let probability = mask.probability(at: PixelPoint(x: Double(x) + 0.5, y: Double(y) + 0.5))
          // Bitmaps use shares in 64ths.
          if abs(probability - 0.5) > 0.035, isInside != (probability > 0.5) { wrong.append((x, y)) }
          if isInside != value {
            inside.append(count)
            (value, count) = (isInside, 0)
          }
          count += 1
        }
      }
      inside.append(count)
      #expect(wrong.isEmpty, "seed \(seed)")
      #expect(try mask.runLengths(in: Self.image).counts == inside, "seed \(seed)")
    }
  }

  @Test func `a mask of run lengths has the same run lengths`() throws {
    let smallest = PixelSize(width: 1, height: 1)
    var all = try (0..<60).map { try Self.random($0).runLengths(in: Self.image) }
    all += [
      try RunLengths(counts: [1_200], size: Self.image),
      try RunLengths(counts: [0, 1_200], size: Self.image),
      try RunLengths(counts: [0, 1], size: smallest), try RunLengths(counts: [1_199, 1], size: Self.image),
      try RunLengths(counts: [29, 3, 1_168], size: Self.image),
    ]
    for runs in all {
      let mask = try ObjectMask(runs)
      #expect(try mask.runLengths(in: runs.size) == runs)
      #expect(mask.area == runs.area && mask.bounds == runs.bounds)
      for orientation in Orientation.allCases {
        let upright = orientation.uprightMask(fromStored: mask, stored: runs.size)
        let back = orientation.storedMask(fromUpright: upright, stored: runs.size)
        #expect(upright.area == runs.area)
        #expect(try back.runLengths(in: runs.size) == runs, "\(orientation)")
      }
    }
  }

  @Test(
    arguments: [
      (PixelSize(width: 65_535, height: 65_535), 4_294_836_225),
      (PixelSize(width: 1, height: 20_000_000), 20_000_000),
    ] as [(PixelSize, UInt32)])
  func `run lengths of a place that no mask may have are an error`(
    _ size: PixelSize, _ pixels: UInt32
  ) throws {
    let runs = try RunLengths(counts: [0, pixels], size: size)
    let error = #expect(throws: GeometryError.self) { try ObjectMask(runs) }
    #expect(error?.code == .maskInvalid)
  }

  @Test func `the IoU is that of the pixels`() throws {
    for seed in 0..<40 as Range<UInt64> {
      let (first, second) = (try Self.random(seed), try Self.random(seed + 1_000))
      let (a, b) = (first.bitmap(), second.bitmap())
      var (shared, united) = (0, 0)
      for x in -25..<90 {
        for y in -25..<80 {
          let (isFirst, isSecond) = (a.contains(x: x, y: y), b.contains(x: x, y: y))
          if isFirst && isSecond { shared += 1 }
          if isFirst || isSecond { united += 1 }
        }
      }
      #expect(first.iou(with: second) == (shared == 0 ? 0 : Double(shared) / Double(united)), "seed \(seed)")
      #expect(second.iou(with: first) == first.iou(with: second), "seed \(seed)")
      #expect(first.iou(with: first) == (first.area > 0 ? 1 : 0), "seed \(seed)")
    }
  }

  /// The signed area of a polygon: above 0 if it runs clockwise as seen on the screen.
  static func signedArea(_ points: [PixelPoint]) -> Double {
    points.indices.reduce(0) { sum, index in
      let (a, b) = (points[index], points[(index + 1) % points.count])
      return sum + (a.x * b.y - b.x * a.y) / 2
    }
  }

  @Test func `outlines enclose the pixels`() throws {
    for seed in 0..<40 as Range<UInt64> {
      // Large pixels of the photo, so that a line between two places on edges of cells matters little.
      let mask = try Self.random(seed).moved(
        from: BoundingBox(x: 0, y: 0, width: 1, height: 1),
        to: BoundingBox(x: 7, y: -9, width: 20, height: 20))
      let outlines = mask.outlines
      let area = outlines.reduce(0) { $0 + Self.signedArea($1) }
      // Between cells, a straight line replaces a piece of a hyperbola.
      let cell = mask.region.width / Double(mask.columns) * mask.region.height / Double(mask.rows)
      #expect(abs(area - Double(mask.area)) < 0.08 * Double(mask.area) + 2 * cell, "seed \(seed)")
      let bounds = mask.bounds
      #expect(
        outlines.joined().allSatisfy {
          $0.x >= bounds.minX && $0.x <= bounds.maxX && $0.y >= bounds.minY && $0.y <= bounds.maxY
        }, "seed \(seed)")
      for outline in outlines {
        #expect(outline.count > 2)
        #expect(zip(outline, outline.dropFirst() + [outline[0]]).allSatisfy { $0 != $1 }, "seed \(seed)")
      }
    }
  }

  @Test func `a full mask has its bounds as its outline, clockwise`() throws {
    let mask = try ObjectMask(
      cells: [UInt8](repeating: 255, count: 12), columns: 4,
      region: BoundingBox(x: 0, y: 0, width: 16, height: 12),
      bounds: BoundingBox(minX: 1.5, minY: 2, maxX: 14, maxY: 11.25))
    let outline = try #require(mask.outlines.first)
    #expect(mask.outlines.count == 1)
    #expect(
      Set(outline) == [
        PixelPoint(x: 1.5, y: 2), PixelPoint(x: 14, y: 2), PixelPoint(x: 14, y: 11.25),
        PixelPoint(x: 1.5, y: 11.25),
      ])
    #expect(outline.count == 4)
    #expect(Self.signedArea(outline) == 12.5 * 9.25)
  }

  @Test func `a region of nearly no width does not trap`() throws {
    let mask = try ObjectMask(
      cells: [255, 255, 0, 0], columns: 2,
      region: BoundingBox(x: 0, y: 0, width: .leastNonzeroMagnitude, height: 10),
      bounds: BoundingBox(x: 0, y: 0, width: 10, height: 10))
    #expect(mask.bitmap().size == PixelSize(width: 10, height: 10))
    #expect(mask.area == 50)
    #expect(mask.outlines.count == 1)
    #expect(mask.probability(at: PixelPoint(x: 5, y: 1)) == 1)
  }

  @Test func `a hole runs the other way`() throws {
    let mask = try Self.square([255, 255, 255, 255, 0, 255, 255, 255, 255], columns: 3)
    #expect(mask.outlines.count == 2)
    let areas = mask.outlines.map(Self.signedArea).sorted()
    // The hole is a diamond of half a cell in each direction.
    #expect(abs(areas[0] + 8) < 0.1)
    #expect(areas[1] == 144)
    #expect(mask.probability(at: PixelPoint(x: 6, y: 6)) == 0)
    #expect(mask.probability(at: PixelPoint(x: 4, y: 6)) == 0.5)
  }

  @Test func `opposite corners are not joined`() throws {
    #expect(try Self.square([255, 0, 0, 255], columns: 2).outlines.count == 2)
    #expect(try Self.square([0, 255, 255, 0], columns: 2).outlines.count == 2)
  }

  static let probabilities: [(PixelPoint, Float)] = [
    (PixelPoint(x: 2, y: 2), 1), (PixelPoint(x: 6, y: 2), 0), (PixelPoint(x: 4, y: 2), 0.5),
    (PixelPoint(x: 5, y: 2), 0.25), (PixelPoint(x: 0, y: 0), 1), (PixelPoint(x: 7.99, y: 3.99), 0),
    (PixelPoint(x: -0.01, y: 2), 0), (PixelPoint(x: 2, y: 4), 0), (PixelPoint(x: .nan, y: 2), 0),
    (PixelPoint(x: 2, y: .infinity), 0),
  ]

  @Test(arguments: probabilities)
  func `a probability is interpolated between the middles of cells`(_ point: PixelPoint, _ value: Float)
    throws
  {
    #expect(try Self.square([255, 0], columns: 2).probability(at: point) == value)
  }

  static let unit = BoundingBox(x: 0, y: 0, width: 1, height: 1)

  @Test(arguments: [
    ([UInt8](), 3, unit, "A mask has 0 cells in rows of 3; whole rows are needed"),
    ([1, 2], 0, unit, "A mask has 2 cells in rows of 0; whole rows are needed"),
    ([1, 2], -1, unit, "A mask has 2 cells in rows of -1; whole rows are needed"),
    ([1, 2, 3], 2, unit, "A mask has 3 cells in rows of 2; whole rows are needed"),
  ])
  func `cells that are not whole rows are refused`(
    _ cells: [UInt8], _ columns: Int, _ region: BoundingBox, _ message: String
  ) {
    let error = #expect(throws: GeometryError.self) {
      try ObjectMask(cells: cells, columns: columns, region: region)
    }
    #expect(error?.code == .maskInvalid)
    #expect(error?.message == message)
  }

  @Test(arguments: [
    BoundingBox(minX: .nan, minY: 0, maxX: 1, maxY: 1),
    BoundingBox(minX: 0, minY: 0, maxX: .infinity, maxY: 1),
    BoundingBox(minX: 0, minY: 0, maxX: 1, maxY: .nan), BoundingBox(minX: 2, minY: 0, maxX: 1, maxY: 1),
    BoundingBox(minX: 0, minY: 0, maxX: 1, maxY: -1), BoundingBox(x: 1.1e7, y: 0, width: 1, height: 1),
    BoundingBox(x: -1e300, y: 0, width: 1, height: 1), BoundingBox(x: 0, y: 0, width: 40_000, height: 40_000),
  ])
  func `a place that no image has is refused`(_ box: BoundingBox) {
    let error = #expect(throws: GeometryError.self) { try ObjectMask(cells: [9], columns: 1, region: box) }
    #expect(
      error?.message
        == "The region \(box) of a mask is not a box of at most 2³⁰ pixels within 10⁷ of the image")
    let other = #expect(throws: GeometryError.self) {
      try ObjectMask(cells: [9], columns: 1, region: Self.unit, bounds: box)
    }
    #expect(other?.message.hasPrefix("The bounds ") == true)
  }

  @Test func `an empty mask covers nothing`() throws {
    let wide = BoundingBox(x: 0, y: 0, width: 10, height: 10)
    let full = try ObjectMask(cells: [255], columns: 1, region: wide)
    let flat = BoundingBox(x: 3, y: 3, width: 0, height: 5)
    let masks = [
      try ObjectMask(cells: [], columns: 0, region: wide),
      try ObjectMask(cells: [255], columns: 1, region: flat),
      try ObjectMask(cells: [255], columns: 1, region: wide, bounds: flat), full.moved(from: wide, to: flat),
      full.moved(from: flat, to: wide),
      full.moved(from: wide, to: BoundingBox(x: .nan, y: 0, width: 1, height: 1)),
      full.moved(from: wide, to: BoundingBox(x: 1e8, y: 0, width: 1, height: 1)),
      full.clipped(to: BoundingBox(x: 20, y: 0, width: 9, height: 9)),
      full.clamped(to: PixelSize(width: 0, height: 9)),
    ]
    for (number, mask) in masks.enumerated() {
      #expect(mask.isEmpty, "mask \(number)")
      #expect(mask.probability(at: PixelPoint(x: 3, y: 3)) == 0, "mask \(number)")
      #expect(mask.outlines.isEmpty, "mask \(number)")
      #expect(mask.bitmap().pixels.isEmpty, "mask \(number)")
      #expect(mask.area == 0, "mask \(number)")
      #expect(try mask.runLengths(in: Self.image).counts == [1_200], "mask \(number)")
      #expect(mask.iou(with: full) == 0 && full.iou(with: mask) == 0, "mask \(number)")
      for orientation in Orientation.allCases {
        #expect(orientation.uprightMask(fromStored: mask, stored: Self.image).isEmpty, "mask \(number)")
      }
    }
  }

  @Test func `a mask outside the image has no run lengths inside`() throws {
    let full = try ObjectMask(
      cells: [255], columns: 1, region: BoundingBox(x: -50, y: -50, width: 20, height: 20))
    #expect(try full.runLengths(in: Self.image).counts == [1_200])
    #expect(full.bitmap().contains(x: -50, y: -31))
    let partly = try ObjectMask(
      cells: [255], columns: 1, region: BoundingBox(x: -50, y: -5, width: 52, height: 400))
    #expect(try partly.runLengths(in: Self.image).counts == [0, 60, 1_140])
    #expect(try partly.runLengths(in: PixelSize(width: 0, height: 0)).counts == [0])
    #expect(partly.clamped(to: Self.image).bounds == BoundingBox(x: 0, y: 0, width: 2, height: 30))
  }

  @Test(arguments: Orientation.allCases)
  func `a rotated mask has the probabilities of the rotated points`(_ orientation: Orientation) throws {
    for seed in 0..<10 as Range<UInt64> {
      let mask = try Self.random(seed)
      let upright = orientation.uprightMask(fromStored: mask, stored: Self.image)
      #expect(upright.bounds == orientation.uprightBox(fromStored: mask.bounds, stored: Self.image))
      var largest: Float = 0
      for x in stride(from: -5.25, to: 40, by: 1.5) {
        for y in stride(from: -5.25, to: 30, by: 1.5) {
          let point = PixelPoint(x: x, y: y)
          let rotated = orientation.uprightPoint(fromStored: point, stored: Self.image)
          largest = max(largest, abs(mask.probability(at: point) - upright.probability(at: rotated)))
        }
      }
      #expect(largest < 1e-5, "seed \(seed)")
      let back = orientation.storedMask(fromUpright: upright, stored: Self.image)
      #expect(back.cells == mask.cells && back.columns == mask.columns && back.rows == mask.rows)
    }
  }

  @Test func `a moved mask has the probabilities of the moved points`() throws {
    let (old, new) = (
      BoundingBox(x: 2, y: 3, width: 10, height: 8), BoundingBox(x: 100, y: -7, width: 30, height: 4)
    )
    let mask = try Self.random(3)
    let moved = mask.moved(from: old, to: new)
    for x in stride(from: -20.5, to: 60, by: 1.75) {
      let point = PixelPoint(x: x, y: x / 2)
      let target = PixelPoint(x: 100 + (x - 2) * 3, y: -7 + (x / 2 - 3) / 2)
      #expect(abs(mask.probability(at: point) - moved.probability(at: target)) < 1e-5)
    }
  }

  @Test func `a wide and flat mask is possible`() throws {
    let strip = try ObjectMask(
      cells: [255, 0], columns: 2, region: BoundingBox(x: -5e4, y: 0, width: 1e5, height: 3))
    #expect(try strip.runLengths(in: Self.image).counts == [1_200])
    #expect(strip.area > 0)
  }
}
