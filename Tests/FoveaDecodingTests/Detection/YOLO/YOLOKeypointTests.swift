// SPDX-License-Identifier: Apache-2.0

import FoveaGeometry
import FoveaMetadata
import FoveaRuntime
import Testing

@testable import FoveaDecoding

@Suite struct YOLOKeypointTests {
  /// A model of 160 × 160 with its numbers of points, and the numbers of each that are expected.
  struct Case: Sendable, CustomTestStringConvertible {
    var width: Int
    var task: String? = "pose"
    var shape: [Int]?
    var labels: Int? = 1
    var family: DetectorFamily?
    var size: Int?

    var testDescription: String { "\(width) \(task ?? "-") \(shape ?? []), \(labels ?? 0) labels" }

    /// The recognizer of `[1, 4 + classes + width, 525]`, or of `[1, 300, 6 + width]`.
    func model(isBest: Bool = false) -> DetectorRecognizer {
      let output = isBest ? [1, 300, 6 + width] : [1, 4 + (labels ?? 1) + width, 525]
      var model = FamilyReference.model(input: [1, 160, 160, 3], [output])
      (model.hints.task, model.hints.keypointShape) = (task, shape)
      model.hints.labels = labels.map {
        LabelMap(names: Array(["person", "dog", "cat"].prefix($0)), source: "l.txt")
      }
      model.labelCount = labels
      return model
    }
  }

  @Test(arguments: [
    Case(width: 51, size: 3), Case(width: 34, size: 2), Case(width: 63, size: 3), Case(width: 42, size: 2),
    Case(width: 99, size: 3), Case(width: 66, size: 2), Case(width: 15, size: 3), Case(width: 10, size: 2),
    // The description decides, also for numbers that fit both, and a wrong one decides nothing.
    Case(width: 12, shape: [4, 3], size: 3), Case(width: 12, shape: [6, 2], size: 2),
    Case(width: 12, shape: [5, 2]), Case(width: 12, shape: [12, 1]), Case(width: 12, shape: [4]),
    Case(width: 51, shape: [0, 0]), Case(width: 51, shape: [.max, .max]),
    // Only 2 or only 3 fits.
    Case(width: 8, size: 2), Case(width: 9, size: 3), Case(width: 12), Case(width: 18),
    Case(width: 8, task: nil, family: .yolov8Pose, size: 2),
    Case(width: 51, task: nil, labels: 2, size: 3), Case(width: 32, task: nil, labels: 2),
  ])
  func `the description or the number shows how many numbers a point has`(_ test: Case) throws {
    let decoder = try test.model().decoder(family: test.family)
    let rows = try #require(decoder as? RowDecoder)
    #expect(rows.layout.pointSize == test.size)
    #expect((decoder.detail == .keypoints) == (test.size != nil))
    #expect(decoder.assumptions.isEmpty == (test.size != nil))
  }

  @Test(
    arguments: [
      (Case(width: 12), "nothing shows how many each point has"),
      (Case(width: 12, shape: [5, 2]), "its description declares 5 points of 2 numbers"),
      (Case(width: 12, shape: [4]), "its description has [4] in place of two numbers for points"),
      (Case(width: 12, shape: []), "its description has [] in place of two numbers for points"),
      (Case(width: 12, shape: [4, 3]), nil),
    ] as [(Case, String?)])
  func `a note has the reason why points are not read`(_ test: Case, _ reason: String?) throws {
    let notes = try test.model().decoder().assumptions.map(\.description)
    let start = "'m.tflite' outputs 12 numbers of points on each object as well, which are not read, as "
    #expect(notes == (reason.map { [start + $0 + ": its boxes are"] } ?? []))
  }

  /// The output with two objects, one of them with a lower score in the same place; points in `unit`s.
  private static func output(
    unit: Float, points: (Int) -> [Float], classes: Int = 1
  ) -> [Float] {
    let cells = YOLOGrid(width: 160, height: 160, strides: [8, 16, 32]).cells
    let rows = cells.enumerated().map { index, cell -> [Float] in
      let (x, y) = ((cell.x + 0.5) * cell.stride * unit, (cell.y + 0.5) * cell.stride * unit)
      let score: Float = index == 210 ? 0.9 : index == 211 ? 0.6 : 0.01
      return [x, y, 80 * unit, 80 * unit, score] + Array(repeating: 0.01, count: classes - 1) + points(index)
    }
    return rows[0].indices.flatMap { column in rows.map { $0[column] } }
  }

  @Test(arguments: [1, Float(1) / 160], [2, 3])
  func `points of the best row are returned in fractions of the input`(_ unit: Float, _ size: Int) throws {
    let decoder = try Case(width: 17 * size, shape: [17, size]).model().decoder()
    let values = Self.output(unit: unit) { row in
      (0..<17).flatMap { point -> [Float] in
        let place = [Float(row) * unit, Float(point * 16) * unit]
        return place + (size == 3 ? [Float(point) / 16] : [])
      }
    }
    let found = try decoder.decode([values], threshold: 0.3, limit: 9)
    #expect(found.map(\.score) == [0.9])
    #expect(decoder.keypointSet == .body)
    let points = try #require(found.first).keypoints
    #expect(points.count == 17)
    for (index, point) in points.enumerated() {
      #expect(abs(point.x - 210.0 / 160) < 1e-5 && abs(point.y - Double(index) / 10) < 1e-5)
    }
    #expect(found[0].keypointScores == (size == 3 ? (0..<17).map { Float($0) / 16 } : []))
  }

  @Test func `rows of the best objects have points in pixels behind the class`() throws {
    let decoder = try Case(width: 6, shape: [2, 3]).model(isBest: true).decoder()
    let rows = (0..<300).flatMap { (row: Int) -> [Float] in
      row == 0
        ? [10, 20, 60, 120, 0.8, 0, 20, 40, 0.5, 80, 120, 1]
        : [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]
    }
    let found = try decoder.decode([rows], threshold: 0.3, limit: 9)
    #expect(
      found.map(\.keypoints) == [[NormalizedPoint(x: 0.125, y: 0.25), NormalizedPoint(x: 0.5, y: 0.75)]])
    #expect(found.map(\.keypointScores) == [[0.5, 1]])
    #expect(decoder.keypointSet == nil)
  }

  @Test(
    arguments: [
      ([5, .nan, 0.5], "a point of row 210 that is not a number"),
      ([.infinity, 5, 0.5], "a point of row 210 that is not a number"),
      ([5, 5, .nan], "a point of row 210 that is not a number"),
      ([1e30, 5, 0.5], " as a point of row 210 in fractions of the input, expected -100 to 100"),
      ([5, -1e30, 0.5], " as a point of row 210 in fractions of the input, expected -100 to 100"),
      ([5, 16_001, 0.5], "(0.03125, 100.0062"),
      ([5, 5, 1.5], "1.5 as a point's probability of being visible"),
      ([5, 5, -0.1], "-0.1 as a point's probability of being visible"),
    ] as [([Float], String)])
  func `points without a place and impossible probabilities are errors`(
    _ point: [Float], _ text: String
  ) throws {
    let decoder = try Case(width: 51).model().decoder()
    let values = Self.output(unit: 1) { row in
      (0..<17).flatMap { row == 210 && $0 == 16 ? point : [5, 5, 0.5] }
    }
    let error = #expect(throws: DetectionError.self) {
      try decoder.decode([values], threshold: 0.3, limit: 9)
    }
    #expect(error?.code == .invalidOutput)
    #expect(error?.message.contains(text) == true, "\(error?.message ?? "")")
  }

  @Test func `points outside the image are kept, and rounded probabilities are clipped`() throws {
    let decoder = try Case(width: 51).model().decoder()
    let values = Self.output(unit: 1) { _ in (0..<17).flatMap { $0 == 0 ? [-80, 320, 1.01] : [5, 5, -0.01] } }
    let found = try decoder.decode([values], threshold: 0.3, limit: 9)
    #expect(found.first?.keypoints.first == NormalizedPoint(x: -0.5, y: 2))
    let far = Self.output(unit: 1) { _ in (0..<17).flatMap { _ in [-16_000, 16_000, 0.5] } }
    #expect(
      try decoder.decode([far], threshold: 0.3, limit: 9).first?.keypoints.first
        == NormalizedPoint(x: -100, y: 100))
    #expect(found.first?.keypointScores.prefix(2) == [1, 0])
  }
}
