// SPDX-License-Identifier: Apache-2.0

import FoveaGeometry
import FoveaRuntime
import Testing

@testable import FoveaDecoding

@Suite struct LandmarkHeadTests {
  static func signature(
    _ input: [Int], _ outputs: [[Int]], type: ElementType = .float32
  ) -> ModelSignature {
    FamilyReference.model(input: input, outputs, type: type).signature
  }

  static let body = [[1, 195], [1, 1], [1, 256, 256, 1], [1, 64, 64, 39], [1, 117]]
  static let hand = [[1, 63], [1, 1], [1, 1], [1, 63]]
  static let face = [[1, 1, 1, 1404], [1, 1, 1, 1]]

  struct Case: Sendable, CustomTestStringConvertible {
    var input: [Int]
    var outputs: [[Int]]
    var family: LandmarkFamily?
    var type = ElementType.float32
    var testDescription: String { "\(input) → \(outputs)" }
  }

  @Test(arguments: [
    Case(input: [1, 256, 256, 3], outputs: body, family: .body),
    Case(input: [1, 256, 256, 3], outputs: body.reversed(), family: .body),
    Case(input: [1, 3, 256, 256], outputs: [[1, 195], [1, 1]], family: .body),
    Case(input: [1, 192, 192, 3], outputs: face, family: .face),
    Case(input: [1, 192, 192, 3], outputs: [[1, 1404], [1]], family: .face, type: .float16),
    Case(input: [1, 224, 224, 3], outputs: hand, family: .hand),
    Case(input: [1, 224, 224, 3], outputs: [[1, 63]]),
    Case(input: [1, 224, 224, 3], outputs: [[63], [1, 1]]),
    Case(input: [1, 224, 224, 3], outputs: [[1, 64], [1, 1]]),
    Case(input: [1, 224, 224, 1], outputs: hand),
    Case(input: [1, -1, -1, 3], outputs: hand),
    Case(input: [1, 224, 224, 3], outputs: hand, type: .int32),
    Case(input: [1, 192, 192, 3], outputs: []),
  ])
  func `tensors show whose points they are`(_ test: Case) {
    let head = LandmarkHead(of: Self.signature(test.input, test.outputs, type: test.type))
    #expect(head?.family == test.family)
  }

  /// Zeros for each output but those given.
  static func outputs(_ shapes: [[Int]], _ values: [Int: [Float]]) -> [[Float]] {
    shapes.indices.map { values[$0] ?? [Float](repeating: 0, count: shapes[$0].reduce(1, *)) }
  }

  @Test func `points are fractions of the input, and the flag decides whether there are any`() throws {
    let head = try #require(LandmarkHead(of: Self.signature([1, 128, 256, 3], Self.hand)))
    let rows = (0..<63).map { Float($0) }
    func read(_ flag: Float) throws -> LandmarkPoints? {
      try head.read(Self.outputs(Self.hand, [0: rows, 1: [flag]]), modelName: "m")
    }
    let found = try #require(try read(0.5))
    #expect(found.points.count == 21 && found.scores.isEmpty)
    #expect(found.points[1] == NormalizedPoint(x: 3.0 / 256, y: 4.0 / 128))
    #expect(found.points[20] == NormalizedPoint(x: 60.0 / 256, y: 61.0 / 128))
    #expect(try read(0.499) == nil && read(0) == nil)
    #expect(try read(1) != nil)
  }

  @Test func `the flag of a face is a logit`() throws {
    let head = try #require(LandmarkHead(of: Self.signature([1, 192, 192, 3], Self.face)))
    func read(_ flag: Float) throws -> LandmarkPoints? {
      try head.read(Self.outputs(Self.face, [1: [flag]]), modelName: "m")
    }
    #expect(try read(-0.01) == nil)
    #expect(try read(0)?.points.count == 468)
    #expect(try read(200)?.points.count == 468 && read(-.infinity) == nil)
  }

  @Test func `33 of the 39 points of a body are reported, with their visibility`() throws {
    let shapes = [[1, 195], [1, 1]]
    let head = try #require(LandmarkHead(of: Self.signature([1, 256, 256, 3], shapes)))
    var rows = [Float](repeating: 64, count: 195)
    rows[5 * 3 + 3] = 2
    rows[5 * 4 + 3] = -.greatestFiniteMagnitude
    let found = try #require(
      try head.read(Self.outputs(shapes, [0: rows, 1: [0.9]]), modelName: "m"))
    #expect(found.points.count == 33 && found.scores.count == 33 && found.helpers.count == 6)
    #expect(found.points.allSatisfy { $0 == NormalizedPoint(x: 0.25, y: 0.25) })
    #expect(abs(found.scores[3] - 0.880_797) < 1e-5 && found.scores[4] == 0 && found.scores[5] == 1)
  }

  /// A body with all points at (64.5, 96.5) of 256, and logits of point 0's map by cell.
  static func refined(_ logits: [[Int]: Float], x: Float = 64.5, y: Float = 96.5) throws -> NormalizedPoint {
    let shapes = [[1, 195], [1, 1], [1, 64, 64, 39]]
    let head = try #require(LandmarkHead(of: signature([1, 256, 256, 3], shapes)))
    var rows = [Float](repeating: 0, count: 195)
    (rows[0], rows[1]) = (x, y)
    var maps = [Float](repeating: -100, count: 64 * 64 * 39)
    for (cell, logit) in logits { maps[(cell[1] * 64 + cell[0]) * 39] = logit }
    let found = try head.read(outputs(shapes, [0: rows, 1: [1], 2: maps]), modelName: "m")
    return try #require(found?.points.first)
  }

  @Test func `a body's point moves to the mean of likely cells around it`() throws {
    let point = NormalizedPoint(x: 64.5 / 256, y: 96.5 / 256)
    // The point is in the cell (16, 24).
    #expect(try Self.refined([:]) == point)
    #expect(try Self.refined([[17, 26]: 0]) == NormalizedPoint(x: 17.0 / 64, y: 26.0 / 64))
    #expect(try Self.refined([[17, 26]: -0.01]) == point)
    let mean = try Self.refined([[13, 21]: 0, [19, 27]: 100])
    #expect(
      abs(mean.x * 64 - (13 * 0.5 + 19) / 1.5) < 1e-4 && abs(mean.y * 64 - (21 * 0.5 + 27) / 1.5) < 1e-4)
    // Four cells away is too far.
    #expect(try Self.refined([[12, 24]: 100, [20, 24]: 100, [16, 20]: 100, [16, 28]: 100]) == point)
    #expect(try Self.refined([[16, 24]: .nan]) == point)
  }

  @Test func `a point at the edge of its map or outside it is handled`() throws {
    #expect(try Self.refined([[0, 63]: 50], x: 0, y: 255.9) == NormalizedPoint(x: 0, y: 63.0 / 64))
    for (x, y) in [(Float(-0.1), Float(10)), (10, 256), (1e30, 10), (10, -1e30)] {
      let point = try Self.refined([[0, 2]: 50, [2, 2]: 50], x: x, y: y)
      #expect(point == NormalizedPoint(x: Double(x / 256), y: Double(y / 256)))
    }
  }

  struct Fault: Sendable, CustomTestStringConvertible {
    var outputs: [[Float]]
    var message: String
    var testDescription: String { message }
  }

  @Test(arguments: [
    Fault(
      outputs: outputs(hand, [1: [1.5]]), message: "'m' returned 1.5 as the probability of a hand"),
    Fault(
      outputs: outputs(hand, [1: [.nan]]), message: "'m' returned nan as the probability of a hand"),
    Fault(
      outputs: outputs(hand, [0: [Float](repeating: .nan, count: 63), 1: [1]]),
      message: "'m' returned nan as a coordinate of a point"),
    Fault(outputs: [], message: "'m' returned [] numbers; 63 and 1 are expected"),
    Fault(
      outputs: [[1], [1], [1], [1]], message: "'m' returned [1, 1, 1, 1] numbers; 63 and 1 are expected"),
  ])
  func `impossible numbers are errors`(_ fault: Fault) throws {
    let head = try #require(LandmarkHead(of: Self.signature([1, 224, 224, 3], Self.hand)))
    let error = #expect(throws: DetectionError.self) { try head.read(fault.outputs, modelName: "m") }
    #expect(error?.code == .invalidOutput && error?.message == fault.message)
  }
}
