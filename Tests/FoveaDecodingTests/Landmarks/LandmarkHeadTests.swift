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
  static let faceWithIrises = [[1, 1, 1, 1434], [1, 1, 1, 1], [1, 1]]
  /// The mesh, lips, eyes and irises, and the flag.
  static let parts = [1404, 160, 142, 142, 10, 10, 1].map { [1, 1, 1, $0] }

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
    Case(input: [1, 256, 256, 3], outputs: faceWithIrises, family: .faceWithIrises),
    Case(input: [1, 256, 256, 3], outputs: [[1, 1434]]),
    Case(input: [1, 192, 192, 3], outputs: parts, family: .faceParts),
    Case(input: [1, 192, 192, 3], outputs: parts.reversed(), family: .faceParts),
    Case(input: [1, 192, 192, 3], outputs: parts.filter { $0 != [1, 1, 1, 160] }, family: .face),
    Case(input: [1, 192, 192, 3], outputs: Array(parts.dropFirst(3)) + [[1, 1404]], family: .face),
    Case(input: [1, 256, 192, 3], outputs: [[1, 17, 384], [1, 17, 512]], family: .rtmPose),
    Case(input: [1, 3, 256, 192], outputs: [[1, 17, 512], [1, 17, 384]], family: .rtmPose),
    Case(input: [1, 256, 192, 3], outputs: [[1, 17, 192], [1, 17, 256]], family: .rtmPose),
    Case(input: [1, 256, 256, 3], outputs: [[1, 17, 512], [1, 17, 512]], family: .rtmPose),
    Case(input: [1, 256, 192, 3], outputs: [[1, 17, 384], [1, 17, 256]]),
    Case(input: [1, 256, 192, 3], outputs: [[1, 17, 288], [1, 17, 384]]),
    Case(input: [1, 256, 192, 3], outputs: [[1, 17, 96], [1, 17, 128]]),
    Case(input: [1, 256, 192, 3], outputs: [[1, 26, 384], [1, 26, 512]]),
    Case(input: [1, 256, 192, 3], outputs: [[1, 17, 384], [1, 17, 512], [1, 1]]),
    Case(input: [1, 256, 192, 3], outputs: [[17, 384], [17, 512]]),
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

  @Test(
    arguments: [
      ([1, 256, 256, 3], body, [0, 1, 3, 4]), ([1, 256, 256, 3], [[1, 195], [1, 1]], [0, 1]),
      ([1, 224, 224, 3], hand, [0, 1, 2, 3]), ([1, 192, 192, 3], face, [0, 1]),
      ([1, 256, 256, 3], faceWithIrises, [0, 1]),
      ([1, 192, 192, 3], parts + [[1, 9]], [0, 1, 2, 3, 4, 5, 6]),
      ([1, 256, 192, 3], [[1, 17, 384], [1, 17, 512]], [0, 1]),
    ] as [([Int], [[Int]], Set<Int>)])
  func `a mask, and other outputs without points, are not read`(
    _ input: [Int], _ outputs: [[Int]], _ read: Set<Int>
  ) throws {
    #expect(try #require(LandmarkHead(of: Self.signature(input, outputs))).outputs == read)
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
    let error = #expect(throws: DetectionError.self) { try read(.infinity) }
    #expect(error?.message == "'m' returned inf as the probability of a face, expected 0 to 1")
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

  @Test func `a hand has depths, points in metres and a side`() throws {
    let head = try #require(LandmarkHead(of: Self.signature([1, 128, 256, 3], Self.hand)))
    let rows = (0..<63).map { Float($0) }
    let metres = rows.map { $0 / 1000 }
    let outputs = Self.outputs(Self.hand, [0: rows, 1: [0.25], 2: [1.005], 3: metres])
    #expect(try head.read(outputs, modelName: "m") == nil)
    let found = try #require(try head.read(outputs, least: 0.25, modelName: "m"))
    #expect(found.depths.count == 21 && found.depths[1] == 5.0 / 256 * 2.5)
    #expect(found.world.count == 21 && found.world[20] == SIMD3(metres[60], metres[61], metres[62]))
    #expect(found.rightHand == 1 && found.presences.isEmpty)
  }

  @Test func `a body has depths and presences, and only its reported points in metres`() throws {
    let head = try #require(LandmarkHead(of: Self.signature([1, 256, 256, 3], Self.body)))
    var rows = [Float](repeating: 0, count: 195)
    (rows[5 * 2 + 2], rows[5 * 2 + 4]) = (-64, -2)
    var metres = [Float](repeating: 0.5, count: 117)
    metres[33 * 3] = .nan
    let found = try #require(
      try head.read(Self.outputs(Self.body, [0: rows, 1: [1], 4: metres]), modelName: "m"))
    #expect(found.depths.count == 33 && found.depths[2] == -0.25)
    #expect(found.presences.count == 33 && abs(found.presences[2] - 0.119_203) < 1e-5)
    #expect(found.world == [SIMD3<Float>](repeating: SIMD3(repeating: 0.5), count: 33))
    #expect(found.rightHand == nil)
  }

  @Test(arguments: [[[1, 195], [1, 1]], [[1, 63], [1, 1]], face, faceWithIrises])
  func `models without the other outputs have neither points in metres nor a side`(
    _ shapes: [[Int]]
  ) throws {
    let head = try #require(LandmarkHead(of: Self.signature([1, 192, 192, 3], shapes)))
    let found = try #require(try head.read(Self.outputs(shapes, [1: [0.5]]), modelName: "m"))
    #expect(found.world.isEmpty && found.rightHand == nil && found.depths.count == found.points.count)
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
    for (x, y) in [(Float(-0.1), Float(10)), (10, 256), (25_600, 10), (10, -25_600)] {
      let point = try Self.refined([[0, 2]: 50, [2, 2]: 50], x: x, y: y)
      #expect(point == NormalizedPoint(x: Double(x / 256), y: Double(y / 256)))
    }
  }

  @Test(arguments: [(1e30, 10), (10, -1e30), (25_601, 10)] as [(Float, Float)])
  func `a point far outside the input is an error`(_ x: Float, _ y: Float) throws {
    let error = #expect(throws: DetectionError.self) { try Self.refined([[0, 2]: 50], x: x, y: y) }
    #expect(error?.code == .invalidOutput)
    #expect(
      error?.message
        == "'m' returned (\(Double(x) / 256), \(Double(y) / 256)) as a point in fractions of the input, expected"
        + " -100 to 100")
  }

  @Test(
    arguments: [
      (0, 2, 1e30, "z of a point in widths of the input"),
      (0, 62, -1e30, "z of a point in widths of the input"),
      (3, 0, 1e30, "a coordinate of a point in metres"), (3, 62, -101, "a coordinate of a point in metres"),
    ] as [(Int, Int, Float, String)])
  func `a point far away in z or in metres is an error`(
    _ output: Int, _ place: Int, _ value: Float, _ text: String
  ) throws {
    let head = try #require(LandmarkHead(of: Self.signature([1, 224, 224, 3], Self.hand)))
    var numbers = [Float](repeating: 1, count: 63)
    #expect(try head.read(Self.outputs(Self.hand, [output: numbers, 1: [1]]), modelName: "m") != nil)
    numbers[place] = value
    let error = #expect(throws: DetectionError.self) {
      try head.read(Self.outputs(Self.hand, [output: numbers, 1: [1]]), modelName: "m")
    }
    #expect(error?.code == .invalidOutput)
    #expect(error?.message.hasSuffix(" as \(text), expected -100 to 100") == true)
  }

  struct Fault: Sendable, CustomTestStringConvertible {
    var outputs: [[Float]]
    var message: String
    var testDescription: String { message }
  }

  @Test(arguments: [
    Fault(
      outputs: outputs(hand, [1: [1.5]]),
      message: "'m' returned 1.5 as the probability of a hand, expected 0 to 1"),
    Fault(
      outputs: outputs(hand, [1: [-.nan]]),
      message: "'m' returned nan as the probability of a hand, expected 0 to 1"),
    Fault(
      outputs: outputs(hand, [0: [Float](repeating: -.nan, count: 63), 1: [1]]),
      message: "'m' returned nan as a coordinate of a point"),
    Fault(
      outputs: outputs(hand, [1: [1], 2: [1.5]]),
      message: "'m' returned 1.5 as the probability of a right hand, expected 0 to 1"),
    Fault(
      outputs: outputs(hand, [1: [1], 2: [1, 0]]),
      message: "'m' returned [63, 1, 2, 63] numbers; one is expected as the probability of a right hand"),
    Fault(
      outputs: outputs(hand, [1: [1], 3: [Float](repeating: .infinity, count: 63)]),
      message: "'m' returned inf as a coordinate of a point in metres"),
    Fault(
      outputs: outputs(hand, [1: [1], 3: [1]]),
      message: "'m' returned [63, 1, 1, 1] numbers; 63 are expected as points in metres"),
    Fault(outputs: [], message: "'m' returned [] numbers; one is expected as the probability of a hand"),
    Fault(
      outputs: [[1], [1], [1], [1]], message: "'m' returned [1, 1, 1, 1] numbers; 63 are expected as points"),
  ])
  func `impossible numbers are errors`(_ fault: Fault) throws {
    let head = try #require(LandmarkHead(of: Self.signature([1, 224, 224, 3], Self.hand)))
    let error = #expect(throws: DetectionError.self) { try head.read(fault.outputs, modelName: "m") }
    #expect(error?.code == .invalidOutput && error?.message == fault.message)
  }

  @Test func `the limit of the flag can be another`() throws {
    let head = try #require(LandmarkHead(of: Self.signature([1, 224, 224, 3], Self.hand)))
    let outputs = Self.outputs(Self.hand, [1: [0.25]])
    #expect(try head.read(outputs, least: 0.25, modelName: "m")?.score == 0.25)
    #expect(try head.read(outputs, least: 0.26, modelName: "m") == nil)
    #expect(try head.read(Self.outputs(Self.hand, [1: [1.005]]), modelName: "m")?.score == 1)
  }

  @Test func `the parts of a face replace the points of its mesh`() throws {
    let head = try #require(LandmarkHead(of: Self.signature([1, 192, 192, 3], Self.parts)))
    var values: [Int: [Float]] = [6: [1]]
    for index in 0..<6 {
      values[index] = [Float](repeating: Float(index) * 19.2, count: Self.parts[index][3])
    }
    let found = try #require(try head.read(Self.outputs(Self.parts, values), modelName: "m"))
    #expect(found.points.count == 478 && found.scores.isEmpty && found.helpers.isEmpty)
    let numbers = found.points.map { Int(($0.x * 10).rounded()) }
    #expect(found.points.allSatisfy { $0.x == $0.y })
    // A cheek, both corners of the mouth, a corner of each eye, an eyebrow, and both irises.
    for (point, part) in [
      (50, 0), (1, 0), (61, 1), (291, 1), (33, 2), (46, 2), (263, 3), (276, 3), (468, 4), (472, 4), (473, 5),
      (477, 5),
    ] {
      #expect(numbers[point] == part, "\(point)")
    }
    #expect((0..<6).map { part in numbers.count { $0 == part } } == [246, 80, 71, 71, 5, 5])
    values[5] = [Float](repeating: .nan, count: 10)
    #expect(throws: DetectionError.self) {
      try head.read(Self.outputs(Self.parts, values), modelName: "m")
    }
  }

  @Test func `an iris of a face with parts is as deep as the contour of its eye`() throws {
    let head = try #require(LandmarkHead(of: Self.signature([1, 192, 192, 3], Self.parts)))
    // z is the point's number.
    let mesh = (0..<1404).map { $0 % 3 == 2 ? Float($0 / 3) : 0 }
    let found = try #require(
      try head.read(Self.outputs(Self.parts, [0: mesh, 6: [1]]), modelName: "m"))
    #expect(found.depths.count == 478 && found.presences.isEmpty && found.world.isEmpty)
    for (point, depth) in [
      (0, 0), (61, 61), (467, 467), (468, 143.8125), (472, 143.8125), (473, 371.75), (477, 371.75),
    ] {
      #expect(abs(found.depths[point] - depth / 192) < 1e-9, "\(point)")
    }
  }

  /// Outputs of RTMPose for an input of 8 × 16 pixels, with scores of places of point 0.
  static func places(_ x: [Int: Float], _ y: [Int: Float]) throws -> LandmarkPoints? {
    let shapes = [[1, 17, 16], [1, 17, 32]]
    let head = try #require(LandmarkHead(of: signature([1, 16, 8, 3], shapes)))
    var (columns, rows) = ([Float](repeating: 0, count: 272), [Float](repeating: 0, count: 544))
    for (place, score) in x { columns[place] = score }
    for (place, score) in y { rows[place] = score }
    return try head.read([columns, rows], modelName: "m")
  }

  @Test func `a point of RTMPose is at the largest scores of both axes`() throws {
    let found = try #require(try Self.places([4: 0.5, 11: 0.75, 12: 0.75], [31: 0.625, 0: -3]))
    #expect(found.points.count == 17 && found.scores.count == 17)
    // The first of equal scores counts, and the smaller of both axes is the score.
    #expect(found.points[0] == NormalizedPoint(x: 11.0 / 16, y: 31.0 / 32) && found.scores[0] == 0.625)
    #expect(found.points[1] == NormalizedPoint(x: 0, y: 0) && found.scores[1] == 0)
    #expect(found.score == 0.625 / 17)
    #expect(found.depths.isEmpty && found.presences.isEmpty && found.world.isEmpty)
    #expect(try Self.places([3: 7], [3: 5])?.scores[0] == 1)
    let below = [Int: Float](uniqueKeysWithValues: (0..<16).map { ($0, Float(-1)) })
    #expect(try Self.places(below, [3: 5])?.scores[0] == 0)
    #expect(throws: DetectionError.self) { try Self.places([3: .nan], [:]) }
  }

  @Test func `the names decide which axis is which for a square input`() throws {
    var signature = Self.signature([1, 8, 8, 3], [[1, 17, 16], [1, 17, 16]])
    for (names, place) in [
      (["simcc_x", "simcc_y"], NormalizedPoint(x: 0.25, y: 0.5)),
      (["simcc_y", "simcc_x"], NormalizedPoint(x: 0.5, y: 0.25)),
      (["a", "b"], NormalizedPoint(x: 0.25, y: 0.5)),
    ] {
      for index in names.indices { signature.outputs[index].name = names[index] }
      let head = try #require(LandmarkHead(of: signature))
      var outputs = [[Float]](repeating: [Float](repeating: 0, count: 272), count: 2)
      (outputs[0][4], outputs[1][8]) = (1, 1)
      #expect(try head.read(outputs, modelName: "m")?.points[0] == place, "\(names)")
    }
  }

  @Test(
    arguments: [
      // The logits of visibility of all points, those of the first and the second one, and the box.
      (5, 5, 5, (0, 0.75)), (-5, 5, 5, (0, 0.25)), (-5, -5, -5, (0, 0.75)), (-5, 5, -5, (0, 0.75)),
    ] as [(Float, Float, Float, (Double, Double))])
  func `a box encloses the visible points, and all if these cover nothing`(
    _ all: Float, _ first: Float, _ second: Float, _ box: (Double, Double)
  ) throws {
    let shapes = [[1, 195], [1, 1]]
    let head = try #require(LandmarkHead(of: Self.signature([1, 256, 256, 3], shapes)))
    var rows: [Float] = []
    for point in 0..<39 {
      let place: Float = point == 0 ? 0 : point == 1 ? 64 : 192
      rows += [place, place, 0, point == 0 ? first : point == 1 ? second : all, 0]
    }
    let found = try LandmarkDecoder(head, modelName: "m").decode(
      Self.outputs(shapes, [0: rows, 1: [0.9]]), threshold: 0.5, limit: 1)
    #expect(found.map(\.box) == [NormalizedBox(minX: box.0, minY: box.0, maxX: box.1, maxY: box.1)])
  }

  @Test func `without a detector a landmark model finds at most one object`() throws {
    let head = try #require(LandmarkHead(of: Self.signature([1, 100, 100, 3], Self.hand)))
    let decoder = LandmarkDecoder(head, modelName: "m")
    #expect(decoder.family.name == "hand-landmarks" && decoder.classNames == ["hand"])
    #expect(decoder.keypointSet == .hand && decoder.defaultThreshold == 0.5)
    #expect(decoder.input.letterbox == Letterbox(.center, padding: 0))
    #expect(
      decoder.assumptions.first?.description
        == "'m' finds the points of a hand in a crop, which is the whole image or region here; give it as"
        + " Options.landmarks of MediaPipe's palm_detection_lite or palm_detection_full to find the crop")
    var rows: [Float] = []
    for point in 0..<21 { rows += [Float(point + 10), Float(2 * point + 20), 0] }
    func found(_ flag: Float, threshold: Float, rows: [Float]) throws -> [Detection] {
      try decoder.decode(
        Self.outputs(Self.hand, [0: rows, 1: [flag]]), threshold: threshold, limit: 1)
    }
    let object = try #require(try found(0.75, threshold: 0.5, rows: rows).first)
    #expect(object.score == 0.75 && object.classIndex == 0 && object.keypoints.count == 21)
    #expect(object.box == NormalizedBox(minX: 0.1, minY: 0.2, maxX: 0.3, maxY: 0.6))
    #expect(object.landmarks?.points == object.keypoints && object.landmarks?.depths.count == 21)
    #expect(try found(0.25, threshold: 0.25, rows: rows).count == 1)
    #expect(try found(0.25, threshold: 0.5, rows: rows).isEmpty)
    #expect(try found(1, threshold: 0.5, rows: [Float](repeating: 7, count: 63)).isEmpty)
  }
}
