// SPDX-License-Identifier: Apache-2.0

import Foundation
import FoveaGeometry
import FoveaTesting
import Testing

@testable import FoveaDecoding

/// Masks and rotated boxes in the rows of a model.
@Suite struct RowShapeTests {
  /// Cells of 64 × 64 with two objects, in the middle and at the right edge, and background.
  struct Rows {
    static let cells = YOLOGrid(width: 64, height: 64, strides: [8, 16, 32]).cells
    /// The box in pixels, the score, and the numbers behind it.
    var objects: [Int: [Float]]
    var extra: Int

    /// [1, columns, cells].
    var output: [Float] {
      let rows = Self.cells.enumerated().map { index, cell in
        objects[index]
          ?? [(cell.x + 0.5) * cell.stride, (cell.y + 0.5) * cell.stride, 8, 8, 0.01]
          + Array(repeating: 0, count: extra)
      }
      return (0..<5 + extra).flatMap { column in rows.map { $0[column] } }
    }
  }

  /// Two prototypes of 16 × 16 cells: 8 in the left half of the image, else −8; and the opposite.
  static let prototypes: [[Float]] = {
    let cells = (0..<256).map { $0 % 16 < 8 ? Float(8) : -8 }
    return [cells, cells.map(-)]
  }()

  static func values(_ layout: MaskPrototypes.Layout) -> [Float] {
    switch layout {
    case .channelsFirst: prototypes.flatMap { $0 }
    case .channelsLast: (0..<256).flatMap { [prototypes[0][$0], prototypes[1][$0]] }
    }
  }

  static func segmenter(
    _ layout: MaskPrototypes.Layout = .channelsLast, isReversed: Bool = false
  ) throws -> any DetectionDecoder {
    let map = layout == .channelsLast ? [1, 16, 16, 2] : [1, 2, 16, 16]
    let shapes = [[1, 7, Rows.cells.count], map]
    return try FamilyReference.model(input: [1, 64, 64, 3], isReversed ? shapes.reversed() : shapes).decoder()
  }

  @Test(arguments: [MaskPrototypes.Layout.channelsLast, .channelsFirst], [false, true])
  func `a mask is the weighted sum of prototypes, within the box`(
    _ layout: MaskPrototypes.Layout, _ isReversed: Bool
  ) throws {
    let rows = Rows(
      objects: [27: [32, 32, 32, 16, 0.9, 1, 0], 7: [60, 32, 20, 16, 0.8, 0, 1]], extra: 2)
    let outputs = [rows.output, Self.values(layout)]
    let decoder = try Self.segmenter(layout, isReversed: isReversed)
    #expect(decoder.detail == .masks && decoder.assumptions.isEmpty)
    let found = try decoder.decode(isReversed ? outputs.reversed() : outputs, threshold: 0.3, limit: 9)
    #expect(found.map(\.score) == [0.9, 0.8])
    let middle = try #require(found.first?.mask)
    #expect(middle.bounds == BoundingBox(x: 16, y: 24, width: 32, height: 16))
    #expect(middle.probability(at: PixelPoint(x: 20, y: 32)) > 0.99)
    #expect(middle.probability(at: PixelPoint(x: 44, y: 32)) < 0.01)
    #expect(middle.area == 16 * 16)
    // The box of the other object reaches beyond the image.
    let edge = try #require(found.last?.mask)
    #expect(edge.bounds == BoundingBox(x: 50, y: 24, width: 14, height: 16))
    #expect(edge.area == 14 * 16)
  }

  @Test(arguments: [Float.nan, .infinity])
  func `coefficients that are not numbers are an error`(_ value: Float) throws {
    let rows = Rows(objects: [27: [32, 32, 32, 16, 0.9, 1, value]], extra: 2)
    let error = #expect(throws: DetectionError.self) {
      try Self.segmenter().decode([rows.output, Self.values(.channelsLast)], threshold: 0.3, limit: 9)
    }
    #expect(error?.code == .invalidOutput)
    #expect(error?.message.contains("a mask coefficient of row 27 that is not a number") == true)
    #expect(error?.remedy.description.hasPrefix("Check the normalisation") == true)
  }

  @Test(arguments: [Float.nan, .infinity, -.infinity], [MaskPrototypes.Layout.channelsLast, .channelsFirst])
  func `prototypes that are not numbers are an error, if there is an object`(
    _ value: Float, _ layout: MaskPrototypes.Layout
  ) throws {
    let rows = Rows(objects: [27: [32, 32, 32, 16, 0.9, 1, 0]], extra: 2)
    for place in [0, 200, 511] {
      var values = Self.values(layout)
      values[place] = value
      let error = #expect(throws: DetectionError.self) {
        try Self.segmenter(layout).decode([rows.output, values], threshold: 0.3, limit: 9)
      }
      #expect(error?.code == .invalidOutput)
      #expect(error?.message.contains("a mask prototype that is not a number") == true)
      let none = Rows(objects: [:], extra: 2).output
      #expect(try Self.segmenter(layout).decode([none, values], threshold: 0.3, limit: 9).isEmpty)
    }
  }

  @Test func `prototypes of another number are an error, and no object needs none`() throws {
    let rows = Rows(objects: [:], extra: 2).output
    let decoder = try Self.segmenter()
    #expect(try decoder.decode([rows, Self.values(.channelsLast)], threshold: 0.3, limit: 9).isEmpty)
    let error = #expect(throws: DetectionError.self) {
      try decoder.decode([rows, [1, 2, 3]], threshold: 0.3, limit: 9)
    }
    #expect(error?.message.contains("3 numbers in output 1; 2 prototypes of 16 × 16 are expected") == true)
  }

  /// The maps of a model that is declared to find masks need only the input's proportions.
  @Test func `declared masks may be of any size, and without prototypes boxes are read`() throws {
    for (map, detail) in [
      ([1, 32, 32, 2], DetectionDetail.masks), ([1, 2, 8, 8], .masks), ([1, 9, 16, 2], nil),
    ] {
      var model = FamilyReference.model(input: [1, 64, 64, 3], [[1, 7, Rows.cells.count], map])
      model.hints.task = "segment"
      model.labelCount = 1
      let decoder = try? model.decoder()
      #expect(decoder?.detail == detail, "\(map)")
    }
    var model = FamilyReference.model(input: [1, 64, 64, 3], [[1, 7, Rows.cells.count]])
    model.hints.task = "segment"
    model.labelCount = 1
    let decoder = try model.decoder()
    #expect(decoder.detail == nil)
    #expect(
      decoder.assumptions.map(\.description).contains { $0.contains("no output with their prototypes") })
  }

  struct Described: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let task: String
    let columns: Int
    let labelCount: Int
    var points: [Int]?
    /// The classes that the shape has; nil if the model is refused.
    let classCount: Int?
    var detail: DetectionDetail?
    /// The clause about the numbers behind the classes.
    var clause: String?
  }

  /// The number of labels does not fit the shape: the classes are those of the shape, so that the labels can
  /// be named as wrong.
  @Test(arguments: [
    Described(
      testDescription: "an angle and 4 labels", task: "obb", columns: 8, labelCount: 4, classCount: 3,
      detail: .orientedBoxes, clause: "the last number of each row is read as an angle"),
    Described(
      testDescription: "an angle and 2 labels", task: "obb", columns: 8, labelCount: 2, classCount: 3,
      detail: .orientedBoxes, clause: "the last number of each row is read as an angle"),
    Described(
      testDescription: "points and 3 labels", task: "pose", columns: 56, labelCount: 3, points: [17, 3],
      classCount: 1, detail: .keypoints, clause: "the last 51 numbers of each row are read as points"),
    Described(
      testDescription: "points and 60 labels", task: "pose", columns: 56, labelCount: 60, points: [17, 3],
      classCount: 1, detail: .keypoints, clause: "the last 51 numbers of each row are read as points"),
    Described(
      testDescription: "points that no row has room for", task: "pose", columns: 50, labelCount: 9,
      points: [17, 3], classCount: nil),
  ])
  func `a description shows the classes if labels do not fit`(_ row: Described) throws {
    var model = FamilyReference.model(input: [1, 64, 64, 3], [[1, row.columns, Rows.cells.count]])
    model.hints.task = row.task
    model.hints.keypointShape = row.points
    model.labelCount = row.labelCount
    let decoder = try? model.decoder()
    #expect(decoder?.classCount == row.classCount)
    #expect(decoder?.detail == row.detail)
    #expect(decoder?.clauseBehindClasses == row.clause)
  }

  @Test(
    arguments: [
      (7, [1, 16, 16, 2], "the last 2 numbers of each row are read as coefficients of a mask"),
      (7, [1, 16, 16, 1], "the last number of each row is read as the coefficient of a mask"),
      (7, nil, nil),
    ] as [(Int, [Int]?, String?)])
  func `errors about classes have the coefficients of masks`(
    _ columns: Int, _ map: [Int]?, _ clause: String?
  ) throws {
    let outputs = [[1, columns, Rows.cells.count]] + [map].compactMap(\.self)
    let decoder = try FamilyReference.model(input: [1, 64, 64, 3], outputs).decoder()
    #expect(decoder.clauseBehindClasses == clause)
  }

  static func rotated(_ task: String? = "obb") throws -> any DetectionDecoder {
    var model = FamilyReference.model(input: [1, 64, 64, 3], [[1, 6, Rows.cells.count]])
    model.hints.task = task
    model.labelCount = 1
    return try model.decoder()
  }

  static let angles: [(Float, Double)] = [
    (0, 0), (0.5, 0.5), (-0.6, -0.6), (2.3, 2.3), (2.5, 2.5 - .pi), (3.1, 3.1 - .pi),
  ]

  @Test(arguments: angles)
  func `an angle turns the box, whose hull is the detection's box`(_ angle: Float, _ normal: Double) throws {
    let decoder = try Self.rotated()
    #expect(decoder.detail == .orientedBoxes && decoder.assumptions.isEmpty)
    let rows = Rows(objects: [27: [32, 30, 20, 10, 0.9, angle]], extra: 1)
    let found = try #require(try decoder.decode([rows.output], threshold: 0.3, limit: 9).first)
    let box = try #require(found.orientedBox)
    #expect(abs(box.angle - normal) < 1e-5)
    #expect(box.center == PixelPoint(x: 32, y: 30) && box.width == 20 && box.height == 10)
    let hull = found.box.pixels(in: PixelSize(width: 64, height: 64))
    #expect(abs(hull.minX - box.hull.minX) < 1e-9 && abs(hull.maxY - box.hull.maxY) < 1e-9)
  }

  @Test(
    arguments: [
      (45, "45.0 as the angle of row 27; it must be in radians", "Name the right family"),
      (-90, "-90.0 as the angle of row 27; it must be in radians", "Name the right family"),
      (.nan, "an angle of row 27 that is not a number", "Check the normalisation"),
      (.infinity, "an angle of row 27 that is not a number", "Check the normalisation"),
    ] as [(Float, String, String)])
  func `an angle beyond a full turn is an error`(_ angle: Float, _ text: String, _ remedy: String) throws {
    let rows = Rows(objects: [27: [32, 30, 20, 10, 0.9, angle]], extra: 1)
    let error = #expect(throws: DetectionError.self) {
      try Self.rotated().decode([rows.output], threshold: 0.3, limit: 9)
    }
    #expect(error?.message.contains(text) == true, "\(error?.message ?? "")")
    #expect(error?.remedy.description.hasPrefix(remedy) == true)
  }

  /// Two long boxes that cross: upright boxes around them would suppress each other.
  @Test func `boxes suppress each other by their overlap as rotated boxes`() throws {
    let cross = Rows(
      objects: [27: [32, 32, 40, 4, 0.9, .pi / 4], 28: [32, 32, 40, 4, 0.8, -.pi / 4]], extra: 1)
    #expect(try Self.rotated().decode([cross.output], threshold: 0.3, limit: 9).count == 2)
    let twins = Rows(
      objects: [27: [32, 32, 40, 4, 0.9, .pi / 4], 28: [32, 32, 40, 4, 0.8, .pi / 4]], extra: 1)
    #expect(try Self.rotated().decode([twins.output], threshold: 0.3, limit: 9).map(\.score) == [0.9])
  }

  struct Vectors: Decodable {
    struct Rotated: Decodable {
      /// x, y, width, height, the scores of three classes, angle.
      var rows: [[Float]]
      /// x, y, width, height, score, class, angle.
      var objects: [[Double]]
    }
    var rotated: Rotated
    enum CodingKeys: String, CodingKey { case rotated = "yolo-obb" }
  }

  @Test(.enabled(if: SharedData.isPresent, "\(SharedData.missing)"))
  func `the rows that the reference keeps are found`() throws {
    let bytes = try SharedData.bytes("goldens/tasks/decode-vectors.json")
    let vectors = try JSONDecoder().decode(Vectors.self, from: Data(bytes)).rotated
    var model = FamilyReference.model(input: [1, 320, 320, 3], [[1, 8, vectors.rows.count]])
    model.hints.task = "obb"
    model.labelCount = 3
    model.suppression.iouThreshold = 0.45
    model.suppression.crossClassIoU = 1
    let found = try model.decoder(family: .yolov8OBB).decode(
      [(0..<8).flatMap { column in vectors.rows.map { $0[column] } }], threshold: 0.5, limit: 300)
    #expect(found.count == vectors.objects.count)
    for (one, expected) in zip(found, vectors.objects) {
      let box = try #require(one.orientedBox)
      let own = [box.center.x, box.center.y, box.width, box.height, Double(one.score)]
      for (value, truth) in zip(own, expected) { #expect(abs(value - truth) < 1e-3) }
      #expect(one.classIndex == Int(expected[5]))
      #expect(abs(sin(box.angle - expected[6])) < 1e-4)
    }
  }
}
