// SPDX-License-Identifier: Apache-2.0

import FoveaCore

/// The error rate of a head by its number of training photos, with a prediction for twice as many.
///
/// Heads are trained on an eighth, a quarter, a half and all photos of each part, with two random samples for
/// each share below all, and evaluated on the held-out part. The error rate is fitted by a n^-b.
package struct LearningCurve: Sendable, Equatable {
  /// The result of heads trained on a given number of photos.
  package struct Point: Sendable, Equatable {
    /// The number of training photos, the mean over parts and samples.
    package let photos: Double
    /// The share of all photos that are answered wrong, 0…1, the mean over samples.
    package let error: Double

    package init(photos: Double, error: Double) {
      self.photos = photos
      self.error = error
    }
  }

  /// The points in ascending order of the number of photos: four, or fewer if small classes lead to samples
  /// of equal size.
  package let points: [Point]
  /// a in error = a n^-b.
  package let factor: Double
  /// b in error = a n^-b, at least 0: more photos do no harm.
  package let exponent: Double
  /// The total number of photos.
  package let photoCount: Int

  private static let shares = [8, 4, 2, 1]
  static let draws = 2

  /// Trains on parts of the photos.
  /// - Parameters:
  ///   - features: The features from the backbone: `[photos, columnCount]`.
  ///   - labels: The class of each row.
  ///   - classCount: The number of classes.
  ///   - folds: The parts of the cross-validation.
  ///   - strength: The strength found by cross-validation; the same for all points.
  ///   - seed: The seed of the samples.
  ///   - jobs: The maximum number of threads; the result does not depend on it.
  /// - Throws: `LearningProblem` if labels do not fit or features are constant.
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

  /// Fits a curve to points in ascending order of the number of photos.
  ///
  /// No mistake at all counts as half a mistake among all photos, because 0 has no logarithm.
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

  /// Returns the expected error rate after the given number of photos, 0…1.
  package func error(photos: Double) -> Double { min(1, factor * exp(-exponent * log(max(1, photos)))) }

  /// The expected error rate of a head trained on twice as many photos.
  package var errorOfTwiceAsMany: Double { error(photos: 2 * Double(photoCount)) }
}

extension LearningCurve {
  /// The share of mistakes that remains with twice as many photos: 2^-b, at most 1.
  package var shareLeftByTwiceAsMany: Double { exp(-exponent * log(2)) }
}
