// SPDX-License-Identifier: Apache-2.0

import FoveaGeometry
import FoveaMetadata
import FoveaRuntime
import Testing

@testable import FoveaDecoding

/// SSDs whose outputs contain the anchors.
@Suite struct PriorSSDTests {
  static let count = 96

  static let joined = FamilyReference.model(input: [1, 64, 64, 3], [[1, count, 16]])
  static let short = FamilyReference.model(input: [1, 64, 64, 3], [[1, count, 12]])

  /// The reference's rows: scores, codes, anchors as centres.
  static let parts: (scores: [Float], codes: [Float], anchors: [Float]) = {
    let scores = FamilyReference.softmax(
      FamilyReference.numbers(seed: 31, count: count * 4, -2, 4), columns: 4)
    let codes = FamilyReference.numbers(seed: 32, count: count * 4, -2, 2)
    var anchors = FamilyReference.numbers(seed: 33, count: count * 4, 0.1, 0.5)
    for index in anchors.indices where index % 4 < 2 { anchors[index] *= 2 }
    return (scores, codes, anchors)
  }()

  static func rows(variances: [Float]?, offsetsFirst: Bool = false, unit: Float = 1) -> [Float] {
    (0..<count).flatMap { row -> [Float] in
      let place = row * 4..<row * 4 + 4
      var anchor = parts.anchors[place].map { $0 * unit }
      if offsetsFirst {
        anchor = [
          anchor[0] - anchor[2] / 2, anchor[1] - anchor[3] / 2, anchor[0] + anchor[2] / 2,
          anchor[1] + anchor[3] / 2,
        ]
      }
      let (scores, codes) = (Array(parts.scores[place]), Array(parts.codes[place]))
      return (offsetsFirst ? codes + scores : scores + codes) + anchor + (variances ?? [])
    }
  }

  @Test func `joined rows are decoded as by their own programs`() throws {
    let variances: [Float] = [0.1, 0.1, 0.2, 0.2]
    for (model, rows) in [
      (Self.joined, Self.rows(variances: variances)), (Self.short, Self.rows(variances: nil)),
      (Self.joined, Self.rows(variances: variances, offsetsFirst: true)),
      (Self.joined, Self.rows(variances: variances, unit: 64)),
    ] {
      let decoder = try model.decoder()
      #expect(decoder.family == .priorSSD && decoder.hasClasses)
      try FamilyReference.expect(try decoder.decode([rows], threshold: 0.6, limit: 100), "ssd joined")
    }
  }

  @Test func `many classes that a softmax in bytes rounds to 0 leave readable rows`() throws {
    let rows = (0..<Self.count).flatMap { row -> [Float] in
      var numbers = [Float](repeating: 0, count: 85)
      numbers[row == 5 ? 80 : 0] = 220 / 256
      numbers += Self.parts.anchors[row * 4..<row * 4 + 4]
      numbers += [0.1, 0.1, 0.2, 0.2]
      return numbers
    }
    let decoder = try FamilyReference.model(input: [1, 64, 64, 3], [[1, Self.count, 93]]).decoder()
    let found = try decoder.decode([rows], threshold: 0.5, limit: 9)
    #expect(decoder.family == .priorSSD && found.map(\.classIndex) == [79])
  }

  @Test func `the number of anchors or the caller shows that rows are joined`() throws {
    for (side, count) in [(300, 8732), (300, 7308), (512, 24_564), (300, 1917), (320, 12_804)] {
      let model = FamilyReference.model(input: [1, side, side, 3], [[1, count, 33]])
      #expect(try model.decoder().family == .priorSSD, "\(count)")
    }
    let other = FamilyReference.model(input: [1, 300, 300, 3], [[1, 8733, 33]])
    let error = #expect(throws: DetectionError.self) { try other.decoder() }
    #expect(error?.code == .unknownFamily)
    #expect(try other.decoder(family: .priorSSD).maximumDetections == 200)
    var labelled = FamilyReference.model(input: [1, 300, 300, 3], [[1, 8732, 33]])
    #expect(try labelled.decoder().classCount == nil)
    labelled.labelCount = 20
    #expect(try labelled.decoder().classCount == 20)
  }

  /// Rows of 16 numbers have 3 classes, or 7 without variances; rows of 12 have 3.
  static let labelled: [([String], Int, Int)] = [
    (["a", "b", "c"], 3, 3), (["background", "a", "b", "c"], 3, 3), (["a", "b", "c", "Hintergrund"], 3, 3),
    (["a", "b", "c", "d"], 3, 3), (["a", "b", "c", "d", "e"], 3, 3),
    (["a", "b", "c", "d", "e", "f"], 7, 3), (["a", "b", "c", "d", "e", "f", "g"], 7, 3),
    (["???", "a", "b", "c", "d", "e", "f", "g"], 7, 3),
  ]

  @Test(arguments: labelled)
  func `labels show the number of classes in joined rows, also with the background or an extra line`(
    _ names: [String], _ joined: Int, _ short: Int
  ) throws {
    for (model, count) in [(Self.joined, joined), (Self.short, short)] {
      var model = model
      model.hints.labels = LabelMap(names: names, source: "labels.txt")
      #expect(try model.decoder(family: .priorSSD).classCount == count, "\(names)")
    }
  }

  @Test func `rows that only look joined are errors`() throws {
    let decoder = try Self.joined.decoder()
    func message(_ change: (inout [Float]) -> Void) -> String? {
      var rows = Self.rows(variances: [0.1, 0.1, 0.2, 0.2])
      change(&rows)
      return #expect(throws: DetectionError.self) { try decoder.decode([rows], threshold: 0.5, limit: 9) }?
        .message
    }
    #expect(
      message { $0.removeLast() }
        == "'m.tflite' of the family 'ssd-priors' returned 1535 numbers; 96 rows of 16 are expected")
    #expect(
      message { for row in 0..<96 { $0[row * 16] = 7 } }?.hasSuffix(
        "returned rows in which no scores add up to 1, neither first nor after four offsets") == true)
    #expect(message { $0[0] = .nan }?.contains("no scores add up to 1") == true)
    #expect(message { $0[10] = 0 }?.hasSuffix("returned anchors without a position or a size") == true)
    #expect(message { $0[8] = .infinity }?.hasSuffix("returned anchors without a position or a size") == true)
    #expect(throws: DetectionError.self) { try decoder.decode([], threshold: 0.5, limit: 9) }
  }

  /// Three outputs: two adjacent anchors, with zero codes.
  static func separate(
    _ anchors: [Int] = [2, 4], names: [String] = ["codes", "scores", "anchors"], scores: [Int] = [1, 2, 3]
  ) -> DetectorRecognizer {
    var model = FamilyReference.model(input: [1, 64, 128, 3], [[1, 2, 4], scores, anchors], names: names)
    model.hints.hasBackground = true
    return model
  }

  struct Anchors: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var values: [Float]
  }

  @Test(arguments: [
    Anchors(testDescription: "y first", values: [0.5, 0.25, 0.5, 0.2, 0.5, 0.75, 0.5, 0.2]),
    Anchors(testDescription: "x first", values: [0.25, 0.5, 0.2, 0.5, 0.75, 0.5, 0.2, 0.5]),
    Anchors(testDescription: "edges, y first", values: [0.25, 0.15, 0.75, 0.35, 0.25, 0.65, 0.75, 0.85]),
    Anchors(testDescription: "pixels, y first", values: [32, 32, 32, 25.6, 32, 96, 32, 25.6]),
  ])
  func `anchors in a third output are read in any order and unit`(_ test: Anchors) throws {
    for anchors in [[2, 4], [1, 2, 4]] {
      let decoder = try Self.separate(anchors).decoder()
      #expect(decoder.family == .priorSSD && decoder.classCount == 2)
      let codes = [Float](repeating: 0, count: 8)
      let scores: [Float] = [0.1, 0.9, 0, 0.2, 0, 0.8]
      let found = try decoder.decode([codes, scores, test.values], threshold: 0.5, limit: 9)
      #expect(found.map(\.classIndex) == [0, 1])
      for (one, left) in zip(found, [0.15, 0.65]) {
        for (place, truth) in zip(
          [one.box.minX, one.box.minY, one.box.maxX, one.box.maxY], [left, 0.25, left + 0.2, 0.75])
        { #expect(abs(place - truth) < 1e-6) }
      }
    }
  }

  @Test func `codes move and scale an anchor`() throws {
    let decoder = try Self.separate().decoder()
    // ty, tx, th, tw: down by a quarter of its height, twice as wide.
    let codes: [Float] = [2.5, 0, 0, 3.465_736, 0, 0, 0, 0]
    let found = try decoder.decode(
      [codes, [0, 1, 0, 1, 0, 0], [0.5, 0.25, 0.4, 0.2, 0.5, 0.75, 0.4, 0.2]], threshold: 0.5, limit: 9)
    #expect(found.count == 1)
    let box = try #require(found.first?.box)
    for (place, truth) in zip([box.minX, box.minY, box.maxX, box.maxY], [0.05, 0.4, 0.45, 0.8]) {
      #expect(abs(place - truth) < 1e-5)
    }
  }

  @Test func `the output with the anchors must be known`() throws {
    let error = #expect(throws: DetectionError.self) {
      try Self.separate([1, 2, 4], names: ["a", "b", "c"]).decoder()
    }
    #expect(
      error?.description
        == "The boxes and the anchors of 'm.tflite' cannot be distinguished: 1 input: 'image' float32"
        + " [1, 64, 128, 3]; 3 outputs: 'a' float32 [1, 2, 4], 'b' float32 [1, 2, 3], 'c' float32 [1, 2, 4]. Export"
        + " the model with 'anchors' in the name of the output with the anchors.")
    // ST's SSDs have five anchors for each cell.
    let five = #expect(throws: DetectionError.self) {
      try FamilyReference.model(
        input: [1, 64, 128, 3], [[1, 10, 4], [1, 10, 3], [1, 10, 4]], names: ["a", "b", "c"]
      ).decoder()
    }
    #expect(
      five?.description.hasSuffix(
        "Name the family 'st-ssd' (Options.family = DetectorFamily(\"st-ssd\")) if it is one of ST's, or export"
          + " the model with 'anchors' in the name of the output with the anchors.") == true)
    #expect(try Self.separate([2, 4], names: ["a", "b", "c"]).decoder().family == .priorSSD)
    #expect(try Self.separate([1, 2, 4], names: ["a", "b", "PriorBoxes"]).decoder().family == .priorSSD)
    #expect(throws: DetectionError.self) { try Self.separate([3, 4]).decoder() }
    #expect(throws: DetectionError.self) { try Self.separate([2, 5]).decoder() }
  }

  @Test func `the score activation is requested as for other SSDs`() throws {
    var model = Self.separate()
    model.hints.activations = ["scores": .other]
    let error = #expect(throws: DetectionError.self) { try model.decoder() }
    #expect(error?.code == .ambiguousModel)
    #expect(
      error?.remedy.description
        == "Set the one they need: Options.scoreActivation = .sigmoid or Options.scoreActivation = .softmax"
    )
    model.hints.scores = .sigmoid
    let decoder = try model.decoder()
    let anchors: [Float] = [0.5, 0.25, 0.5, 0.2, 0.5, 0.75, 0.5, 0.2]
    let codes = [Float](repeating: 0, count: 8)
    let found = try decoder.decode([codes, [0, 2, -9, 0, -9, -9], anchors], threshold: 0.5, limit: 9)
    #expect(found.count == 1)
    let plain = try Self.separate().decoder()
    let high = #expect(throws: DetectionError.self) {
      try plain.decode([codes, [0, 2, 0, 0, 0, 0], anchors], threshold: 0.5, limit: 9)
    }
    #expect(high?.message == "'m.tflite' returned the score 2.0, which is not a probability")
    for (place, value) in (0..<6).flatMap({ place in [Float.nan, .infinity, -.infinity].map { (place, $0) } })
    {
      var scores: [Float] = [0.75, 0.25, 0, 0.75, 0, 0.25]
      scores[place] = value
      for (reader, threshold, areLogits) in [(plain, 0.9, false), (plain, 0, false), (decoder, 0.9, true)]
        as [(any DetectionDecoder, Float, Bool)]
      {
        do throws(DetectionError) {
          _ = try reader.decode([codes, scores, anchors], threshold: threshold, limit: 9)
          // The probability of a logit of minus infinity is 0.
          #expect(areLogits && value == -.infinity)
        } catch {
          #expect(error.message == "'m.tflite' returned the score \(value), which is not a probability")
          #expect(error.remedy.description.hasPrefix("Check the normalisation"))
        }
      }
    }
    for broken in [
      [codes, [0, 1, 0, 1, 0, 0], [0.5]], [codes, [0, 1, 0, 1, 0, 0], anchors.map { _ in .nan }], [codes],
    ] {
      #expect(throws: DetectionError.self) { try plain.decode(broken, threshold: 0.5, limit: 9) }
    }
  }
}
