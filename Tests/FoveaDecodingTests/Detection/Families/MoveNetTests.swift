// SPDX-License-Identifier: Apache-2.0

import FoveaGeometry
import FoveaMetadata
import FoveaRuntime
import Testing

@testable import FoveaDecoding

@Suite struct MoveNetTests {
  static let single = FamilyReference.model(input: [1, 192, 192, 3], [[1, 1, 17, 3]])
  static let multi = FamilyReference.model(input: [1, 160, 256, 3], [[1, 6, 56]])

  /// A person with a point at each corner of a box, all with the same score.
  static func person(
    _ score: Float, left: Float = 0.25, top: Float = 0.125, right: Float = 0.5, bottom: Float = 0.875
  ) -> [Float] {
    (0..<17).flatMap { $0 % 2 == 0 ? [top, left, score] : [bottom, right, score] }
  }

  /// Rows of several people, the others empty.
  static func rows(_ people: [(score: Float, points: Float)]) -> [Float] {
    let found = people.flatMap { row -> [Float] in person(row.points) + [0.1, 0.2, 0.9, 0.6, row.score] }
    return found + [Float](repeating: 0, count: 56 * (6 - people.count))
  }

  @Test func `the points of one person have the values of the published layout`() throws {
    let decoder = try Self.single.decoder()
    #expect(decoder.family == .movenet && decoder.detail == .keypoints && decoder.keypointSet == .body)
    #expect(decoder.classNames == ["person"] && decoder.classCount == 1 && decoder.maximumDetections == 1)
    #expect(decoder.assumptions.isEmpty && decoder.defaultThreshold == 0.25)
    let values = FamilyReference.numbers(seed: 37, count: 51, 0, 1)
    let found = try decoder.decode([values], threshold: 0.25, limit: 9)
    try FamilyReference.expect(found, "movenet")
    #expect(found.map(\.keypointScores) == [stride(from: 2, to: 51, by: 3).map { values[$0] }])
  }

  @Test func `people have the values of the published layout, the best first`() throws {
    let decoder = try Self.multi.decoder()
    #expect(decoder.family == .movenetMulti && decoder.detail == .keypoints && decoder.keypointSet == .body)
    #expect(decoder.classNames == ["person"] && decoder.classCount == 1 && decoder.maximumDetections == 6)
    #expect(decoder.assumptions.isEmpty && decoder.defaultThreshold == 0.11)
    var values = FamilyReference.numbers(seed: 39, count: 6 * 56, 0, 1)
    // The bottom and the right edge lie behind the others.
    for row in 0..<6 { for column in [53, 54] { values[row * 56 + column] += 0.9 } }
    let found = try decoder.decode([values], threshold: 0.3, limit: 9)
    try FamilyReference.expect(found, "movenet-multi")
    #expect(try found.count == FamilyReference.answers.get()["movenet-multi"]?.count)
    #expect(try decoder.decode([values], threshold: 0.3, limit: 2) == Array(found.prefix(2)))
  }

  @Test func `the box of one person is that of the points with a score of 0.3 and more`() throws {
    let decoder = try Self.single.decoder()
    func boxes(_ values: [Float], threshold: Float = 0.25) throws -> [NormalizedBox] {
      try decoder.decode([values], threshold: threshold, limit: 9).map(\.box)
    }
    let whole = NormalizedBox(minX: 0.25, minY: 0.125, maxX: 0.5, maxY: 0.875)
    #expect(try boxes(Self.person(0.5)) == [whole])
    #expect(try boxes(Self.person(0.3)) == [whole])
    // A point that is not seen lies anywhere, and does not count.
    var values = Self.person(0.5)
    values.replaceSubrange(0..<3, with: [0, 0, 0.29])
    #expect(try boxes(values) == [whole])
    values[2] = 0.31
    #expect(try boxes(values) == [NormalizedBox(minX: 0, minY: 0, maxX: 0.5, maxY: 0.875)])
    // No point, or one only, has no box.
    #expect(try boxes(Self.person(0.29)).isEmpty)
    values = Self.person(0.29)
    values[2] = 0.9
    #expect(try boxes(values).isEmpty)
    #expect(try boxes(Self.person(0), threshold: 0).isEmpty)
  }

  @Test func `the score of one person is the mean of the scores of the points`() throws {
    let decoder = try Self.single.decoder()
    var values = Self.person(0.5)
    values[2] = 0.9
    let mean = (16 * 0.5 + 0.9) / 17 as Float
    #expect(try decoder.decode([values], threshold: mean - 0.001, limit: 9).count == 1)
    #expect(try decoder.decode([values], threshold: mean + 0.001, limit: 9).isEmpty)
    let found = try decoder.decode([Self.person(1.01)], threshold: 0.3, limit: 9)
    #expect(found.map(\.score) == [1] && found.first?.keypointScores == Array(repeating: 1, count: 17))
  }

  @Test func `rows below the threshold are no people, and none suppresses another`() throws {
    let decoder = try Self.multi.decoder()
    let values = Self.rows([(0.4, 0.9), (0.9, 0.1), (0.1, 0.9)])
    let found = try decoder.decode([values], threshold: 0.3, limit: 9)
    #expect(found.map(\.score) == [0.9, 0.4] && found.map(\.classIndex) == [0, 0])
    #expect(found.map { $0.keypointScores.first } == [0.1, 0.9])
    #expect(
      found.map(\.box)
        == Array(
          repeating: NormalizedBox(
            minX: Double(0.2 as Float), minY: Double(0.1 as Float), maxX: Double(0.6 as Float),
            maxY: Double(0.9 as Float)), count: 2))
    #expect(found.map { $0.keypoints[1] } == Array(repeating: NormalizedPoint(x: 0.5, y: 0.875), count: 2))
    #expect(try decoder.decode([Self.rows([])], threshold: 0.3, limit: 9).isEmpty)
    // A person at the edge of the image has points outside it.
    var outside = values
    (outside[0], outside[1]) = (-0.2, 1.3)
    let points = try decoder.decode([outside], threshold: 0.3, limit: 9)[1].keypoints
    #expect(points[0] == NormalizedPoint(x: Double(1.3 as Float), y: Double(-0.2 as Float)))
  }

  @Test(
    arguments: [
      (0, 96, "returned 96.0 as a coordinate of a point; it must be a fraction of the image, 0…1"),
      (1, -1.5, "returned -1.5 as a coordinate of a point; it must be a fraction of the image, 0…1"),
      (4, .infinity, "returned inf as a coordinate of a point; it must be a fraction of the image, 0…1"),
      (0, .nan, "returned a point or a box of row 0 that is not a number"),
      (2, -3, "returned -3.0 as the score of a point; it must be 0…1"),
      (5, 1.5, "returned 1.5 as the score of a point; it must be 0…1"),
      (51, 160, "returned 160.0 as a coordinate of a box; it must be a fraction of the image, 0…1"),
      (54, .nan, "returned a point or a box of row 0 that is not a number"),
      (55, 7, "returned 7.0 as a score; it must be 0…1"),
    ] as [(Int, Float, String)])
  func `impossible numbers are errors`(_ column: Int, _ number: Float, _ text: String) throws {
    var outputs = [(try Self.multi.decoder(), Self.rows([(0.9, 0.9)]))]
    if column < 51 { outputs.append((try Self.single.decoder(), Self.person(0.9))) }
    for (decoder, var values) in outputs {
      values[column] = number
      let error = #expect(throws: DetectionError.self) {
        try decoder.decode([values], threshold: 0.3, limit: 9)
      }
      #expect(error?.code == .invalidOutput)
      #expect(error?.message == "'m.tflite' of the family '\(decoder.family)' \(text)")
    }
  }

  @Test(arguments: [2, 26, 50])
  func `a score of a point that is not a number is an error`(_ column: Int) throws {
    for threshold in [Float(0), 0.3, 1] {
      var values = Self.person(0.9)
      values[column] = -.nan
      let error = #expect(throws: DetectionError.self) {
        try Self.single.decoder().decode([values], threshold: threshold, limit: 9)
      }
      #expect(
        error?.message
          == "'m.tflite' of the family 'movenet' returned a score of row 0 that is not a number")
    }
  }

  @Test func `outputs without numbers or of another size are errors`() throws {
    for (model, count) in [(Self.single, 51), (Self.multi, 6 * 56)] {
      let decoder = try model.decoder()
      let sizes: [[Float]] = [[], [1, 2, 3], Array(repeating: 0, count: 57)]
      for values in sizes + [[Float](repeating: .nan, count: count)] {
        #expect(throws: DetectionError.self) { try decoder.decode([values], threshold: 0.3, limit: 9) }
      }
      #expect(throws: DetectionError.self) { try decoder.decode([], threshold: 0.3, limit: 9) }
    }
  }

  @Test(
    arguments: [
      ([1, -1, -1, 3], [1, 6, 56], [1, 256, 256, 3]), ([1, 1, 1, 3], [1, 6, 56], [1, 256, 256, 3]),
      ([1, 160, -1, 3], [1, 6, 56], [1, 256, 256, 3]), ([1, 160, 256, 3], [1, 6, 56], nil),
      ([1, -1, -1, 3], [1, 1, 17, 3], nil), ([1, -1, -1, 3], [1, 6, 55], nil),
      ([1, -1, -1, 1], [1, 6, 56], nil), ([2, -1, -1, 3], [1, 6, 56], nil), ([1, -1], [1, 6, 56], nil),
    ] as [([Int], [Int], [Int]?)])
  func `only a model for several people may leave its size open`(
    _ input: [Int], _ output: [Int], _ shape: [Int]?
  ) {
    let model = FamilyReference.model(input: input, [output])
    #expect(DetectorFamily.openShape(of: model.signature) == shape)
  }
}
