// SPDX-License-Identifier: Apache-2.0

import FoveaCore

/// How many mistakes a head makes after so many photos, and how many it would make after twice as many.
///
/// Heads learn from an eighth, a quarter, a half and all photos of each part, two draws each, and are asked about the part that
/// is left out. The share of mistakes is fitted by a n^-b.
package struct LearningCurve: Sendable, Equatable {
  /// What heads do that have learned from so many photos.
  package struct Point: Sendable, Equatable {
    /// How many photos they have learned from, the mean over parts and draws.
    package let photos: Double
    /// The share of all photos that they answer wrong, 0…1, the mean over draws.
    package let error: Double

    package init(photos: Double, error: Double) {
      self.photos = photos
      self.error = error
    }
  }

  /// The points, photos rising: four, or fewer where classes have so few photos that draws are equally large.
  package let points: [Point]
  /// a in error = a n^-b.
  package let factor: Double
  /// b in error = a n^-b, at least 0: more photos do no harm.
  package let exponent: Double
  /// How many photos there are in all.
  package let photoCount: Int

  private static let shares = [8, 4, 2, 1]
  static let draws = 2

  /// Learns from parts of the photos.
  /// - Parameters:
  ///   - features: The features, as the backbone gives them: `[photos, columnCount]`.
  ///   - labels: The class of each row.
  ///   - classCount: The number of classes.
  ///   - folds: The parts, those of the cross-validation.
  ///   - strength: The strength that it has found; the same for all points.
  ///   - seed: What draws depend on.
  ///   - jobs: The most threads; the answer does not depend on it.
  /// - Throws: `LearningProblem` for labels that do not fit, and features that are constant.
  package init(
    _ features: FeatureMatrix, labels: [Int], classCount: Int, folds: Folds, strength: Double,
    seed: UInt64 = 0, jobs: Int = 1
  ) throws(LearningProblem) {
    let targets = Targets.one(labels)
    guard folds.fold.count == features.rowCount else { throw .labels }
    try targets.check(photoCount: features.rowCount, classCount: classCount)
    let parts = try FoldParts(features, targets: targets, classCount: classCount, folds: folds)
    let pieces = LearningCurve.shares.flatMap { share in
      (0..<(share == 1 ? 1 : LearningCurve.draws)).flatMap { draw in
        (0..<parts.count).map { Piece(share: share, draw: draw, part: $0) }
      }
    }
    let found = try Pieces.map(pieces.count, jobs: jobs) { (index) throws(LearningProblem) in
      try pieces[index].run(parts, labels: labels, strength: strength, seed: seed)
    }
    var points: [Point] = []
    for share in LearningCurve.shares {
      let here = zip(pieces, found).compactMap { $0.share == share ? $1 : nil }
      guard !here.isEmpty else { continue }
      let asked = here.reduce(0) { $0 + $1.asked }
      let point = Point(
        photos: Double(here.reduce(0) { $0 + $1.learned }) / Double(here.count),
        error: Double(here.reduce(0) { $0 + $1.wrong }) / Double(asked))
      if let last = points.last, point.photos <= last.photos { continue }
      points.append(point)
    }
    self.init(points: points, photoCount: features.rowCount)
  }

  /// Fits a curve to points, photos rising.
  ///
  /// No mistake at all counts as half of one among all photos, as it has no logarithm.
  package init(points: [Point], photoCount: Int) {
    self.points = points
    self.photoCount = photoCount
    let least = 0.5 / Double(max(1, photoCount))
    let x = points.map { log($0.photos) }
    let y = points.map { log(max($0.error, least)) }
    let count = Double(max(1, points.count))
    let (meanX, meanY) = (x.reduce(0, +) / count, y.reduce(0, +) / count)
    let spread = x.reduce(0) { $0 + ($1 - meanX) * ($1 - meanX) }
    let slope = zip(x, y).reduce(0) { $0 + ($1.0 - meanX) * ($1.1 - meanY) }
    exponent = spread > 0 ? max(0, -slope / spread) : 0
    factor = points.isEmpty ? 0 : exp(meanY + exponent * meanX)
  }

  /// The share of mistakes that is expected after so many photos, 0…1.
  package func error(photos: Double) -> Double { min(1, factor * exp(-exponent * log(max(1, photos)))) }

  /// The share of mistakes that is expected of a head that learns from twice as many photos as there are.
  package var errorOfTwiceAsMany: Double { error(photos: 2 * Double(photoCount)) }
}

extension LearningCurve {
  /// The share of mistakes that is left with twice as many photos: 2^-b, at most 1.
  package var shareLeftByTwiceAsMany: Double { exp(-exponent * log(2)) }
}
