// SPDX-License-Identifier: Apache-2.0

import Foundation
import FoveaTraining
import Testing

@Suite struct LearningCurveTests {
  /// Pseudorandom numbers from -1 to 1, the same in each run.
  private static func noise(_ index: Int) -> Float {
    var mixed = UInt64(index &+ 1) &* 0x9E37_79B9_7F4A_7C15
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed ^= mixed >> 27
    return Float(Double(mixed >> 11) / Double(1 << 52)) - 1
  }

  private static func photos(_ count: Int) throws -> (FeatureMatrix, [Int]) {
    let labels = (0..<count).map { $0 % 4 }
    let rows = labels.enumerated().map { index, label in
      (0..<24).map { ($0 % 4 == label ? 0.4 : 0) + noise(index * 24 + $0) }
    }
    return (try FeatureMatrix(rows), labels)
  }

  @Test func `points on a curve give the curve back`() {
    let points = [8.0, 16, 32, 64].map { LearningCurve.Point(photos: $0, error: 0.8 * pow($0, -0.35)) }
    let curve = LearningCurve(points: points, photoCount: 64)
    #expect(abs(curve.factor - 0.8) < 1e-12 && abs(curve.exponent - 0.35) < 1e-12)
    #expect(abs(curve.errorOfTwiceAsMany - 0.8 * pow(128, -0.35)) < 1e-12)
  }

  @Test func `no mistakes, more mistakes and few points have a forecast, too`() {
    let none = LearningCurve(
      points: [.init(photos: 10, error: 0), .init(photos: 20, error: 0)], photoCount: 25)
    #expect(abs(none.errorOfTwiceAsMany - 0.02) < 1e-12 && none.exponent == 0)
    let rising = LearningCurve(
      points: [.init(photos: 10, error: 0.1), .init(photos: 20, error: 0.4)], photoCount: 25)
    #expect(rising.exponent == 0 && abs(rising.errorOfTwiceAsMany - 0.2) < 1e-12)
    let one = LearningCurve(points: [.init(photos: 4, error: 0.25)], photoCount: 5)
    #expect(one.exponent == 0 && abs(one.errorOfTwiceAsMany - 0.25) < 1e-12)
    #expect(LearningCurve(points: [], photoCount: 0).errorOfTwiceAsMany == 0)
  }

  @Test func `errors fall with photos, and are the same on any number of threads`() throws {
    let (features, labels) = try Self.photos(160)
    let folds = try Folds(labels: labels)
    let curve = try LearningCurve(features, labels: labels, classCount: 4, folds: folds, strength: 0.01)
    #expect(curve.points.map(\.photos) == [16, 32, 64, 128] && curve.photoCount == 160)
    #expect(curve.points[0].error > curve.points[3].error + 0.05, "\(curve.points)")
    #expect(curve.exponent > 0.05 && curve.errorOfTwiceAsMany < curve.points[3].error)
    let again = try LearningCurve(
      features, labels: labels, classCount: 4, folds: folds, strength: 0.01, jobs: 3)
    #expect(again == curve)
    let other = try LearningCurve(
      features, labels: labels, classCount: 4, folds: folds, strength: 0.01, seed: 1)
    #expect(other.points[3] == curve.points[3] && other != curve)
    // All photos of the folds: the errors of the cross-validation.
    let found = try CrossValidation(features, labels: labels, classCount: 4, folds: folds, strength: 0.01)
    let wrong = zip(found.scores, labels).count { scores, label in scores.max() != scores[label] }
    #expect(abs(curve.points[3].error - Double(wrong) / 160) < 0.01)
  }

  @Test func `the smallest set has a curve`() throws {
    let (features, _) = try Self.photos(4)
    let labels = [0, 0, 1, 1]
    let curve = try LearningCurve(
      features, labels: labels, classCount: 2, folds: Folds(labels: labels), strength: 0.1)
    #expect(curve.points.count == 1 && curve.points[0].photos == 2)
    #expect((0...1).contains(curve.errorOfTwiceAsMany))
    #expect(throws: LearningProblem.labels) {
      try LearningCurve(
        features, labels: [0, 1], classCount: 2, folds: Folds(labels: labels), strength: 0.1)
    }
  }

  @Test func `a sample of one photo with two classes is left out`() throws {
    // Rows 1, 2 and 4 are the same photo, of both classes.
    let rows: [[Float]] = [[0, 0], [1, 0], [1, 0], [2, 1], [1, 0], [0, 3], [4, 1], [2, 5]]
    let features = try FeatureMatrix(columnCount: 2, values: rows.flatMap(\.self))
    let labels = [0, 0, 0, 0, 1, 1, 1, 1]
    let folds = try Folds(labels: labels, count: 2)
    for seed in UInt64(0)..<32 {
      let curve = try LearningCurve(
        features, labels: labels, classCount: 2, folds: folds, strength: 0.01, seed: seed)
      #expect(curve.points.last?.photos == 4 && curve.points.allSatisfy { (0...1).contains($0.error) })
    }
  }
}
