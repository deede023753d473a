// SPDX-License-Identifier: Apache-2.0

import FoveaGeometry
import Testing

@testable import FoveaDecoding

@Suite struct MediaPipeTests {
  struct Variant: Sendable, CustomTestStringConvertible {
    var name: String
    var side: Int
    var count: Int
    var values: Int
    var seed: UInt32
    var testDescription: String { name }
    func model(swapped: Bool = false, planar: Bool = false) -> DetectorRecognizer {
      let shapes = [[1, count, values], [1, count, 1]]
      return FamilyReference.model(
        input: planar ? [1, 3, side, side] : [1, side, side, 3], swapped ? shapes.reversed() : shapes)
    }
  }

  static let variants = [
    Variant(name: "mediapipe-face 128", side: 128, count: 896, values: 16, seed: 11),
    Variant(name: "mediapipe-face 192", side: 192, count: 2304, values: 16, seed: 13),
    Variant(name: "mediapipe-face 256", side: 256, count: 896, values: 16, seed: 15),
    Variant(name: "mediapipe-palm 192", side: 192, count: 2016, values: 18, seed: 17),
    Variant(name: "mediapipe-pose 224", side: 224, count: 2254, values: 12, seed: 41),
    Variant(name: "mediapipe-pose 128", side: 128, count: 896, values: 12, seed: 43),
  ]

  static let subjects: [DetectorFamily: (name: String, set: KeypointSet)] = [
    .mediaPipeFace: ("face", .face), .mediaPipePalm: ("palm", .palm), .mediaPipePose: ("person", .pose),
  ]

  @Test(arguments: variants, [false, true])
  func `boxes and keypoints match MediaPipe's calculators`(_ test: Variant, _ swapped: Bool) throws {
    let decoder = try test.model(swapped: swapped, planar: swapped).decoder()
    #expect("\(decoder.family) \(test.side)" == test.name)
    let subject = try #require(Self.subjects[decoder.family])
    #expect(decoder.classNames == [subject.name] && decoder.keypointSet == subject.set)
    #expect(decoder.classCount == 1 && decoder.hasClasses && decoder.defaultThreshold == 0.5)
    let side = Float(test.side)
    let rows = FamilyReference.numbers(
      seed: test.seed, count: test.count * test.values, -0.2 * side, 0.4 * side)
    let logits = FamilyReference.numbers(seed: test.seed + 1, count: test.count, -9, 3)
    let found = try decoder.decode(swapped ? [logits, rows] : [rows, logits], threshold: 0.5, limit: 100)
    try FamilyReference.expect(found, test.name)
  }

  /// Two boxes that overlap, and a separate one; raw numbers are pixels from the anchor's centre.
  static func outputs(_ changes: [Int: [Float]], _ scores: [Int: Float]) -> [[Float]] {
    var rows = [Float](repeating: 0, count: 896 * 16)
    var logits = [Float](repeating: -20, count: 896)
    for (row, values) in changes {
      for (column, value) in values.enumerated() { rows[row * 16 + column] = value }
    }
    for (row, score) in scores { logits[row] = score }
    return [rows, logits]
  }

  @Test func `boxes on one face are averaged by their scores`() throws {
    let decoder = try Self.variants[0].model().decoder()
    // Anchors 0 and 1 share the first cell; the second box is moved by 4 pixels.
    let outputs = Self.outputs([0: [0, 0, 32, 32, 4], 1: [4, 0, 32, 32, 8]], [0: 2.197_224_6, 1: 0])
    let found = try decoder.decode(outputs, threshold: 0.5, limit: 10)
    #expect(found.count == 1)
    #expect(abs((found.first?.score ?? 0) - 0.9) < 1e-6)
    // The centre of the cell is at 4 pixels, the mean of the offsets 4 · 0.5 ÷ 1.4 to the right.
    let shift = 4 * 0.5 / 1.4
    #expect(abs((found.first?.box.minX ?? 0) - (4 + shift - 16) / 128) < 1e-6)
    #expect(abs((found.first?.box.maxY ?? 0) - (4.0 + 16) / 128) < 1e-6)
    #expect(abs((found.first?.keypoints.first?.x ?? 0) - (8 + shift) / 128) < 1e-6)
    var apart = Self.variants[0].model()
    apart.suppression.iouThreshold = 0.9
    #expect(try apart.decoder().decode(outputs, threshold: 0.5, limit: 10).count == 2)
    #expect(try apart.decoder().decode(outputs, threshold: 0.5, limit: 1).count == 1)
    #expect(try apart.decoder().decode(outputs, threshold: 0.5, limit: 0).isEmpty)
  }

  struct Edge: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var row: [Float]
    var score: Float
    var count: Int
  }

  @Test(arguments: [
    Edge(testDescription: "sound", row: [0, 0, 32, 32], score: 3, count: 1),
    Edge(testDescription: "a score of minus infinity", row: [0, 0, 32, 32], score: -.infinity, count: 0),
    Edge(testDescription: "a negative width", row: [0, 0, -32, 32], score: 3, count: 0),
    Edge(testDescription: "no height", row: [0, 0, 32, 0], score: 3, count: 0),
    Edge(testDescription: "a position that is not a number", row: [.nan, 0, 32, 32], score: 3, count: 0),
    Edge(testDescription: "an infinite size", row: [0, 0, .infinity, 32], score: 3, count: 0),
    Edge(testDescription: "a huge box", row: [0, 0, 1e30, 1e30], score: 3, count: 1),
  ])
  func `a box without a position is not a result`(_ test: Edge) throws {
    let decoder = try Self.variants[0].model().decoder()
    #expect(
      try decoder.decode(Self.outputs([5: test.row], [5: test.score]), threshold: 0.5, limit: 9).count
        == test.count)
  }

  @Test(arguments: [.nan, .infinity, 1e30, -1e30] as [Float])
  func `a keypoint that is not a number or far outside the image is an error`(_ number: Float) throws {
    let decoder = try Self.variants[0].model().decoder()
    let outputs = Self.outputs([5: [0, 0, 32, 32, number]], [5: 3])
    let error = #expect(throws: DetectionError.self) {
      try decoder.decode(outputs, threshold: 0.5, limit: 9)
    }
    #expect(error?.code == .invalidOutput)
    #expect(
      error?.message.contains(") as a point of row 5 in fractions of the input") == true,
      "\(error?.message ?? "")")
    // Below the threshold, points are not read.
    #expect(try decoder.decode(outputs, threshold: 0.99, limit: 9).isEmpty)
  }

  @Test func `a threshold of 0 accepts all boxes and still ends`() throws {
    let decoder = try Self.variants[1].model().decoder()
    let logits = [Float](repeating: -200, count: 2304)
    let rows = (0..<(2304 * 16)).map { Float($0 % 16 < 2 ? 0 : 4) }
    #expect(try decoder.decode([rows, logits], threshold: 0, limit: 50).count == 50)
  }

  @Test func `outputs of another size, and empty ones, are errors`() throws {
    let decoder = try Self.variants[0].model().decoder()
    let short = #expect(throws: DetectionError.self) {
      try decoder.decode([[1, 2], [3]], threshold: 0.5, limit: 9)
    }
    #expect(
      short?.description
        == "'m.tflite' of the family 'mediapipe-face' returned [2, 1] numbers; 896 rows of 16 and of 1 are expected."
        + " Check the normalisation, or the model with the tool that exported it.")
    let none = #expect(throws: DetectionError.self) {
      try decoder.decode(
        [[Float](repeating: 0, count: 896 * 16), [Float](repeating: .nan, count: 896)], threshold: 0.5,
        limit: 9)
    }
    #expect(none?.code == .invalidOutput)
    #expect(none?.message.hasSuffix("returned no number at all (NaN) as scores") == true)
    for value in [Float.nan, .infinity] {
      let one = #expect(throws: DetectionError.self) {
        try decoder.decode(Self.outputs([5: [0, 0, 32, 32]], [5: value]), threshold: 0.5, limit: 9)
      }
      #expect(one?.message.hasSuffix("returned a score of row 5 that is not a number") == true)
    }
    #expect(throws: DetectionError.self) { try decoder.decode([], threshold: 0.5, limit: 9) }
  }
}
