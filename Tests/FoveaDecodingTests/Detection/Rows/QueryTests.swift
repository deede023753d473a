// SPDX-License-Identifier: Apache-2.0

import Foundation
import FoveaGeometry
import FoveaTesting
import Testing

@testable import FoveaDecoding

/// DETR and its kin, on the vectors of their own post-processing.
@Suite struct QueryTests {
  struct Vector: Decodable, Sendable {
    var boxes: [[Float]]
    var logits: [[Float]]
    var scores: [Double]
    var labels: [Int]
    /// Edges in pixels of 640 × 480.
    var xyxy: [[Double]]

    static func read(_ name: String) throws -> Vector {
      let bytes = try SharedData.bytes("goldens/tasks/decode-vectors.json")
      let all = try #require(JSONSerialization.jsonObject(with: Data(bytes)) as? [String: Any])
      return try JSONDecoder().decode(
        Vector.self, from: JSONSerialization.data(withJSONObject: #require(all[name])))
    }
  }

  @Test(
    .enabled(if: SharedData.isPresent, "\(SharedData.missing)"),
    arguments: [DetectorFamily.detr, .detrSoftmax], [false, true])
  func `queries are read as by the models' own programs`(
    _ family: DetectorFamily, _ isReversed: Bool
  ) throws {
    let vector = try Vector.read(family == .detr ? "detr-sigmoid" : "detr-softmax")
    let (rows, columns) = (vector.boxes.count, vector.logits[0].count)
    let shapes = [[1, rows, 4], [1, rows, columns]]
    let values = [vector.boxes.flatMap { $0 }, vector.logits.flatMap { $0 }]
    var model = FamilyReference.model(
      input: [1, 480, 640, 3], isReversed ? shapes.reversed() : shapes)
    model.suppression.crossClassIoU = 1
    let found = try model.decoder(family: family).decode(
      isReversed ? values.reversed() : values, threshold: family == .detr ? 0 : 0.3,
      limit: vector.labels.count)
    #expect(found.count == vector.labels.count)
    let ranked = vector.scores.indices.sorted { vector.scores[$0] > vector.scores[$1] }
    for (one, index) in zip(found, ranked) {
      let box = one.box.pixels(in: PixelSize(width: 640, height: 480))
      for (value, expected) in zip([box.minX, box.minY, box.maxX, box.maxY], vector.xyxy[index]) {
        #expect(abs(value - expected) < 0.01, "\(box)")
      }
      #expect(abs(Double(one.score) - vector.scores[index]) < 1e-4)
      #expect(one.classIndex == vector.labels[index])
    }
  }

  /// 100 queries of two classes: small boxes along the diagonal, the last one an object.
  static func answer(
    _ box: (Float) -> [Float] = { [$0, $0, 0.1, 0.1] }, score: Float = 2, other: Float = -5
  ) -> [[Float]] {
    let places = (0..<100).map { Float($0 + 5) / 110 }
    return [places.flatMap(box), (0..<100).flatMap { [$0 == 99 ? score : -4, other] }]
  }

  static func decoder(_ family: DetectorFamily = .detr, columns: Int = 2) throws -> any DetectionDecoder {
    try FamilyReference.model(input: [1, 64, 64, 3], [[1, 100, 4], [1, 100, columns]]).decoder(family: family)
  }

  @Test func `an object is found, and probabilities stay as they are`() throws {
    let found = try Self.decoder().decode(Self.answer(), threshold: 0.3, limit: 9)
    #expect(found.map(\.classIndex) == [0])
    #expect(abs((found.first?.score ?? 0) - 0.880_797) < 1e-5)
    var values = Self.answer()
    values[1] = values[1].map { $0 == 2 ? 0.9 : 0.01 }
    #expect(try Self.decoder().decode(values, threshold: 0.3, limit: 9).map(\.score) == [0.9])
  }

  @Test(arguments: [DetectorFamily.detr, .detrSoftmax], [Float.nan, .infinity, -.infinity])
  func `a logit may be minus infinity, and no other score that is not finite is one`(
    _ family: DetectorFamily, _ value: Float
  ) throws {
    let decoder = try Self.decoder(family)
    for (place, isProbability) in [(1, false), (3, false), (1, true)] {
      var values = Self.answer(other: family == .detrSoftmax ? 3 : -5)
      if isProbability { values[1] = values[1].map { $0 == 2 ? 0.9 : 0.01 } }
      values[1][place] = value
      do throws(DetectionError) {
        let found = try decoder.decode(values, threshold: 0.3, limit: 9)
        #expect(value == -.infinity && !isProbability && !found.isEmpty)
      } catch {
        #expect(error.code == .invalidOutput && (value != -.infinity || isProbability), "\(error)")
      }
    }
  }

  @Test func `queries that are all background have no objects`() throws {
    for (family, other) in [(DetectorFamily.detr, Float(-5)), (.detrSoftmax, 3)] {
      let answer = Self.answer(score: -6, other: other)
      #expect(try Self.decoder(family).decode(answer, threshold: 0.3, limit: 9).isEmpty)
    }
  }

  @Test(
    arguments: [
      { [$0, $0, $0 + 0.1, $0 + 0.1] }, { [$0 * 64, $0 * 64, 6, 6] }, { [$0, $0, -0.1, 0.1] },
      { _ in [.nan, 0, 0.1, 0.1] },
    ] as [@Sendable (Float) -> [Float]])
  func `boxes that are not centre and size in fractions are an error`(
    _ box: @Sendable (Float) -> [Float]
  ) throws {
    let error = #expect(throws: DetectionError.self) {
      try Self.decoder().decode(Self.answer(box), threshold: 0.3, limit: 9)
    }
    #expect(error?.code == .invalidOutput)
    #expect(error?.message.contains("are not centre and size in fractions of the image") == true)
  }

  @Test(
    arguments: [
      (0.3, nil, [0]), (0.05, nil, [0]), (0.049, nil, [0, 1]), (0.3, 1, [0, 1]), (0.3, 0.99, [0]),
      (0.9, 1, []),
    ] as [(Float, Double?, [Int])])
  func `a second class of a query stays unless it is the same object with another name`(
    _ threshold: Float, _ crossClassIoU: Double?, _ classes: [Int]
  ) throws {
    var model = FamilyReference.model(input: [1, 64, 64, 3], [[1, 100, 4], [1, 100, 2]])
    model.suppression.crossClassIoU = crossClassIoU
    var values = Self.answer()
    values[1][199] = 1.5
    let found = try model.decoder(family: .detr).decode(values, threshold: threshold, limit: 9)
    #expect(found.map(\.classIndex) == classes)
  }

  @Test func `equal scores keep the order of queries and classes`() throws {
    var model = FamilyReference.model(input: [1, 64, 64, 3], [[1, 100, 4], [1, 100, 2]])
    model.suppression.crossClassIoU = 1
    var values = Self.answer()
    for index in [10, 11, 198, 199] { values[1][index] = 2 }
    let found = try model.decoder(family: .detr).decode(values, threshold: 0.3, limit: 9)
    #expect(found.map(\.classIndex) == [0, 1, 0, 1])
    #expect(found.map { $0.box.minX < 0.5 } == [true, true, false, false])
    #expect(try model.decoder(family: .detr).decode(values, threshold: 0.3, limit: 3).count == 3)
  }

  @Test(
    arguments: [DetectorFamily.detr, .detrSoftmax], [[], [[]], [[], []], [[0.5], [0.5]]] as [[[Float]]])
  func `an answer of another size is an error`(_ family: DetectorFamily, _ values: [[Float]]) throws {
    let error = #expect(throws: DetectionError.self) {
      try Self.decoder(family).decode(values, threshold: 0.3, limit: 9)
    }
    #expect(error?.code == .invalidOutput)
  }

  @Test func `logits that are not numbers are an error`() throws {
    for (family, other) in [(DetectorFamily.detr, Float(-5)), (.detrSoftmax, 3)] {
      // The second number of a row, and both of the next one.
      for place in 197..<200 {
        var values = Self.answer(score: -6, other: other)
        values[1][place] = .nan
        let error = #expect(throws: DetectionError.self) {
          try Self.decoder(family).decode(values, threshold: 0.3, limit: 9)
        }
        #expect(
          error?.message.hasSuffix(" returned a score of row \(place / 2) that is not a number") == true,
          "\(family), \(place): \(error?.message ?? "no error")")
      }
    }
    var values = Self.answer(score: 0.9, other: 0.25)
    values[1] = values[1].map { $0 < 0 ? 0.25 : $0 }
    let decoder = try Self.decoder(.detrSoftmax)
    #expect(try decoder.decode(values, threshold: 0.3, limit: 9).count == 1)
    // The probability of no object.
    values[1][7] = .nan
    let nothing = #expect(throws: DetectionError.self) {
      try decoder.decode(values, threshold: 0.3, limit: 9)
    }
    #expect(nothing?.message.hasSuffix(" returned a score of row 3 that is not a number") == true)
    values = Self.answer()
    values[1] = values[1].map { _ in .nan }
    let error = #expect(throws: DetectionError.self) {
      try Self.decoder().decode(values, threshold: 0.3, limit: 9)
    }
    #expect(error?.message == "'m.tflite' returned no number at all (NaN)")
  }
}
