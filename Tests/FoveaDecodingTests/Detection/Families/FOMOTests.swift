// SPDX-License-Identifier: Apache-2.0

import FoveaGeometry
import FoveaMetadata
import Testing

@testable import FoveaDecoding

@Suite struct FOMOTests {
  static func model(
    _ output: [Int] = [1, 12, 20, 4], input: [Int] = [1, 96, 160, 3]
  ) -> DetectorRecognizer {
    FamilyReference.model(input: input, [output], activation: .softmax)
  }

  @Test func `centres match Edge Impulse's own code`() throws {
    let decoder = try Self.model().decoder()
    #expect(decoder.family == .fomo && decoder.classCount == 3 && decoder.defaultThreshold == 0.5)
    let heat = FamilyReference.softmax(
      FamilyReference.numbers(seed: 19, count: 12 * 20 * 4, -4, 4), columns: 4)
    let found = try decoder.decode([heat], threshold: 0.95, limit: 100)
    try FamilyReference.expect(found, "fomo")
    #expect(try found.count == FamilyReference.answers.get()["fomo"]?.count)
  }

  /// A map of 4 rows and 6 columns in which the marked cells have a class; the digit is in tenths.
  static func heat(_ rows: [String], channel: Int = 1) -> [Float] {
    rows.flatMap { row in
      row.flatMap { mark -> [Float] in
        let value = Float(mark.wholeNumberValue ?? 0) / 10
        return channel == 1 ? [1 - value, value, 0] : [1 - value, 0, value]
      }
    }
  }

  static let small = model([1, 4, 6, 3], input: [1, 32, 48, 3])

  struct Spots: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var rows: [String]
    /// Left, top, right and bottom in cells, and the score in tenths.
    var boxes: [[Double]]
  }

  @Test(
    arguments: [
      Spots(testDescription: "none", rows: ["......", "......", "......", "...4.."], boxes: []),
      Spots(
        testDescription: "one cell", rows: ["......", "..5...", "......", "......"], boxes: [[2, 1, 3, 2, 5]]),
      Spots(
        testDescription: "a corner", rows: ["......", "......", "......", ".....9"], boxes: [[5, 3, 6, 4, 9]]),
      Spots(
        testDescription: "cells that touch", rows: ["......", ".78...", ".6....", "......"],
        boxes: [[1, 1, 3, 3, 8]]),
      Spots(
        testDescription: "a diagonal", rows: ["7.....", ".6....", "..9...", "......"],
        boxes: [[0, 0, 3, 3, 9]]),
      Spots(
        testDescription: "a horseshoe", rows: ["6...6.", "6...6.", "66666.", "......"],
        boxes: [[0, 0, 5, 3, 6]]),
      Spots(
        testDescription: "two spots, and a tie", rows: ["6...6.", "......", "......", ".8...."],
        boxes: [[1, 3, 2, 4, 8], [0, 0, 1, 1, 6], [4, 0, 5, 1, 6]]),
      Spots(
        testDescription: "everything", rows: ["999999", "999999", "999999", "999999"],
        boxes: [[0, 0, 6, 4, 9]]),
    ], [1, 2])
  func `each connected spot gets a box`(_ test: Spots, _ channel: Int) throws {
    let found = try Self.small.decoder().decode(
      [Self.heat(test.rows, channel: channel)], threshold: 0.5, limit: 9)
    #expect(found.allSatisfy { $0.classIndex == channel - 1 })
    let boxes = found.map { one in
      [one.box.minX * 6, one.box.minY * 4, one.box.maxX * 6, one.box.maxY * 4, Double(one.score) * 10].map {
        ($0 * 1e4).rounded() / 1e4
      }
    }
    #expect(boxes == test.boxes)
  }

  @Test func `spots of two classes that touch are two objects`() throws {
    var heat = Self.heat(["......", "..7...", "......", "......"])
    heat[(1 * 6 + 3) * 3 + 2] = 0.8
    let found = try Self.small.decoder().decode([heat], threshold: 0.5, limit: 9)
    #expect(found.map(\.classIndex) == [1, 0])
    #expect(try Self.small.decoder().decode([heat], threshold: 0.5, limit: 1).map(\.classIndex) == [1])
  }

  @Test(arguments: [Float.nan, -0.5, 1.5, .infinity])
  func `numbers that are not probabilities`(_ value: Float) throws {
    var heat = Self.heat(["......", "..7...", "......", "......"])
    heat[4] = value
    let decoder = try Self.small.decoder()
    let error = #expect(throws: DetectionError.self) {
      try decoder.decode([heat], threshold: 0.5, limit: 9)
    }
    #expect(
      error?.message == "'m.tflite' of the family 'fomo' returned \(value) as a probability; it must be 0…1")
    #expect(throws: DetectionError.self) {
      try decoder.decode([heat.map { _ in Float.nan }], threshold: 0.5, limit: 9)
    }
    #expect(throws: DetectionError.self) { try decoder.decode([[1]], threshold: 0.5, limit: 9) }
    #expect(throws: DetectionError.self) { try decoder.decode([], threshold: 0.5, limit: 9) }
  }
}
