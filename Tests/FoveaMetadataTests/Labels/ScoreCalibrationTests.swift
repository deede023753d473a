// SPDX-License-Identifier: Apache-2.0

import FoveaTesting
import Testing

@testable import FoveaMetadata

@Suite struct ScoreCalibrationTests {
  typealias Transformation = ScoreCalibrationOptions.Transformation

  static func make(_ text: String, classes: Int, _ transformation: Transformation = .identity)
    throws(MetadataError)
    -> ScoreCalibration
  {
    try ScoreCalibration(
      parsing: Array(text.utf8), source: "cal.csv", classCount: classes,
      options: ScoreCalibrationOptions(transformation: transformation, defaultScore: -1))
  }

  @Test func `a line per class, blank for none`() throws {
    let calibration = try Self.make("1,2,3\n\n 0.5, -1 ,2e-1, .25\n", classes: 3)
    #expect(
      calibration.sigmoids == [
        .init(scale: 1, slope: 2, offset: 3), nil,
        .init(scale: 0.5, slope: -1, offset: 0.2, minimumScore: 0.25),
      ])
  }

  @Test func `a file that ends with a blank class needs no line end`() throws {
    #expect(try Self.make("1,2,3\n", classes: 2).sigmoids.count == 2)
    #expect(try Self.make("1,2,3\n", classes: 1).sigmoids.count == 1)
    #expect(try Self.make("", classes: 1).sigmoids == [nil])
  }

  struct BrokenCase: CustomTestStringConvertible {
    let text: String
    var classes = 1
    let message: String
    var testDescription: String { text }
  }

  static let broken: [BrokenCase] = [
    BrokenCase(text: "1,2", message: "Line 1 of cal.csv is '1,2'; expected 3 or 4 numbers with commas"),
    BrokenCase(
      text: "1,2,3,4,5", message: "Line 1 of cal.csv is '1,2,3,4,5'; expected 3 or 4 numbers with commas"),
    BrokenCase(text: "1,x,3", message: "Line 1 of cal.csv is '1,x,3'; expected 3 or 4 numbers with commas"),
    BrokenCase(
      text: "1,nan,3", message: "Line 1 of cal.csv is '1,nan,3'; expected 3 or 4 numbers with commas"),
    BrokenCase(
      text: "1,inf,3", message: "Line 1 of cal.csv is '1,inf,3'; expected 3 or 4 numbers with commas"),
    BrokenCase(
      text: "1,2,3\n1,,3", classes: 2,
      message: "Line 2 of cal.csv is '1,,3'; expected 3 or 4 numbers with commas"),
    BrokenCase(text: "1,2,3", classes: 3, message: "cal.csv has 1 line, but the model has 3 classes"),
    BrokenCase(text: "1,2,3\n1,2,3", classes: 1, message: "cal.csv has 2 lines, but the model has 1 class"),
  ]

  @Test(arguments: broken) func `a broken file is an error`(_ row: BrokenCase) {
    #expect(
      failure { () throws(MetadataError) in try Self.make(row.text, classes: row.classes) }?.message
        == row.message)
  }

  struct ApplyCase: CustomTestStringConvertible {
    let classIndex: Int
    let score: Float
    let transformation: Transformation
    let expected: Float
    var testDescription: String { "class \(classIndex), score \(score), \(transformation)" }
  }

  // Expected values: the formula evaluated in Python with 64-bit floats.
  static let formula = "1,1,0\n0.98763281,0.36622241,0.53527653,0.71484375\n\n1,1000,0\n1,-1000,0"
  static let applied: [ApplyCase] = [
    ApplyCase(classIndex: 0, score: 0, transformation: .identity, expected: 0.5),
    ApplyCase(classIndex: 0, score: 0.25, transformation: .inverseLogistic, expected: 0.25),
    ApplyCase(classIndex: 0, score: 0.25, transformation: .log, expected: 0.2),
    ApplyCase(classIndex: 0, score: 1, transformation: .inverseLogistic, expected: 1),
    ApplyCase(classIndex: 0, score: 0, transformation: .inverseLogistic, expected: 0),
    ApplyCase(classIndex: 1, score: 0.9, transformation: .identity, expected: 0.6949760),
    ApplyCase(classIndex: 1, score: 0.9, transformation: .log, expected: 0.6139930),
    ApplyCase(classIndex: 1, score: 0.9, transformation: .inverseLogistic, expected: 0.7826809),
    ApplyCase(classIndex: 1, score: 0.71484375, transformation: .identity, expected: 0.6808217),
    ApplyCase(classIndex: 1, score: 0.7148437, transformation: .identity, expected: -1),
    ApplyCase(classIndex: 1, score: .nan, transformation: .identity, expected: -1),
    ApplyCase(classIndex: 2, score: 0.9, transformation: .identity, expected: -1),
    ApplyCase(classIndex: 3, score: 1000, transformation: .identity, expected: 1),
    ApplyCase(classIndex: 4, score: 1000, transformation: .identity, expected: 0),
    ApplyCase(classIndex: 5, score: 0.9, transformation: .identity, expected: -1),
    ApplyCase(classIndex: -1, score: 0.9, transformation: .identity, expected: -1),
  ]

  @Test(arguments: applied) func `scores are calibrated by the formula`(_ row: ApplyCase) throws {
    let calibration = try Self.make(Self.formula, classes: 5, row.transformation)
    // 1e-6: a few units in the last place of a score near 1.
    #expect(abs(calibration.apply(row.score, classIndex: row.classIndex) - row.expected) < 1e-6)
  }

  @Test func `scores at and below zero keep their order`() throws {
    let calibration = try Self.make("1,0.02,0", classes: 1, .log)
    let scores = [Float(-1), -0.5, 0, 1e-20, 1e-10, 0.5].map { calibration.apply($0, classIndex: 0) }
    #expect(scores == scores.sorted())
    #expect(scores.allSatisfy { $0.isFinite && $0 > 0 })
  }

  @Test func `the metadata leads to the calibration`() throws {
    let model = try SyntheticModel.rich()
    let outputs = try #require(try ModelMetadata.read(model)).outputs
    let found = try ScoreCalibration.read(for: outputs[1], classCount: 4, model: model.span)
    let calibration = try #require(found)
    #expect(calibration.sigmoids.map { $0 != nil } == [true, false, true, true])
    #expect(calibration.options.defaultScore == -0.5)
    let none = try ScoreCalibration.read(for: outputs[0], classCount: 4, model: model.span)
    #expect(none == nil)
    var bare = outputs[1]
    bare.files = []
    let error = failure { () throws(MetadataError) in
      try ScoreCalibration.read(for: bare, classCount: 4, model: model.span)
    }
    #expect(
      error?.message == "The metadata requires a score calibration, but the model has no file for it")
  }

  @Test(.enabled(if: SharedData.isPresent, "needs the shared test data (../shared/data)"))
  func `a real calibration file of 511 classes`() throws {
    let bytes = try SharedData.bytes("models/classify/tfls_score_calibration.txt")
    for (transformation, expected) in [
      (Transformation.identity, Float(0.6949760)), (.log, 0.6139930), (.inverseLogistic, 0.7826809),
    ] {
      let calibration = try ScoreCalibration(
        parsing: bytes, source: "cal", classCount: 511,
        options: ScoreCalibrationOptions(transformation: transformation, defaultScore: 0))
      #expect(calibration.sigmoids.count { $0 == nil } == 7)
      #expect(calibration.sigmoids[0] == nil)
      #expect(abs(calibration.apply(0.9, classIndex: 1) - expected) < 1e-6)
      #expect(calibration.apply(0.5, classIndex: 1) == 0)
    }
  }
}
