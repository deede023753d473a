// SPDX-License-Identifier: Apache-2.0

import FoveaCore
import FoveaEvaluation

/// Measures how well probabilities match the frequency of right answers.
package enum Calibration {
  /// Returns the mean negative logarithm of the right class's probability.
  /// - Parameters:
  ///   - scores: The scores of each photo, before the softmax.
  ///   - labels: The class of each photo, in the same number.
  ///   - temperature: The divisor of scores, above 0.
  /// - Returns: The loss, 0 if answers are certain and right, or if there are no photos.
  package static func logLoss(_ scores: [[Double]], _ labels: [Int], temperature: Double = 1) -> Double {
    guard !labels.isEmpty else { return 0 }
    var sum = 0.0
    for (row, label) in zip(scores, labels) {
      var row = row.map { $0 / temperature }
      sum -= LogSoftmax.apply(to: &row, at: label)
    }
    return sum / Double(labels.count)
  }

  /// Returns the mean negative logarithm of the right answer's probability: of each photo's class, or, with
  /// several classes, of yes or no for each class.
  /// - Parameters:
  ///   - scores: The scores of each photo, before softmax or sigmoid: `[photos][classCount]`.
  ///   - targets: The targets of the photos, in the same number.
  ///   - temperature: The divisor of scores, above 0.
  /// - Returns: The loss; 0 without photos.
  package static func logLoss(_ scores: [[Double]], _ targets: Targets, temperature: Double = 1) -> Double {
    guard case .several(let sets) = targets else {
      guard case .one(let labels) = targets else { return 0 }
      return logLoss(scores, labels, temperature: temperature)
    }
    var sum = 0.0
    var count = 0
    for (row, set) in zip(scores, sets) {
      for (index, score) in row.enumerated() {
        sum -= LogSigmoid.of((set.contains(index) ? score : -score) / temperature)
      }
      count += row.count
    }
    return count == 0 ? 0 : sum / Double(count)
  }

  /// Returns the expected calibration error: the difference between the first answer's probability and its
  /// accuracy, in bins of equal width, weighted by their number of photos.
  ///
  /// **Source:** Naeini, Cooper, Hauskrecht, "Obtaining Well Calibrated Probabilities Using Bayesian
  /// Binning", AAAI 2015.
  /// - Parameters:
  ///   - probabilities: The probability of each class for each photo.
  ///   - labels: The class of each photo, in the same number.
  ///   - bins: The number of bins, 15 as in the literature.
  /// - Returns: The error, 0…1; 0 without photos.
  package static func expectedError(_ probabilities: [[Double]], _ labels: [Int], bins: Int = 15) -> Double {
    guard !labels.isEmpty else { return 0 }
    var best: [Double] = []
    var areRight: [Bool] = []
    for (row, label) in zip(probabilities, labels) {
      guard let index = row.indices.max(by: { row[$0] < row[$1] }) else { continue }
      best.append(row[index])
      areRight.append(index == label)
    }
    let errors = ReliabilityBin.all(best, areRight: areRight, count: bins)
      .reduce(0) { $0 + abs($1.probabilitySum - Double($1.rightCount)) }
    return errors / Double(labels.count)
  }

  /// Returns the probability of each class: the softmax of the scores, or with several classes the sigmoid of
  /// each.
  /// - Parameters:
  ///   - scores: Scores as in ``CrossValidation``: `[photos][classCount]`.
  ///   - targets: The kind of targets, one class or several; its values do not matter.
  ///   - temperature: The divisor of scores, above 0.
  /// - Returns: Probabilities in the same order, 0…1.
  package static func probabilities(
    _ scores: [[Double]], _ targets: Targets, temperature: Double = 1
  ) -> [[Double]] {
    scores.map { row in
      var row = row.map { $0 / temperature }
      if case .several = targets { return row.map(LogSigmoid.probability) }
      if !row.isEmpty { _ = LogSoftmax.apply(to: &row, at: 0) }
      return row
    }
  }

  /// Throws if targets do not fit the scores.
  static func check(_ scores: [[Double]], _ targets: Targets) throws(LearningProblem) {
    guard scores.count == targets.count else { throw .labels }
    switch targets {
    case .one(let labels): try check(scores, labels)
    case .several(let sets):
      for (row, (values, set)) in zip(scores, sets).enumerated() {
        guard set.allSatisfy(values.indices.contains) else { throw .labels }
        guard values.allSatisfy(\.isFinite) else { throw .notFinite(row: row) }
      }
    }
  }

  /// Throws if labels do not fit the scores.
  static func check(_ scores: [[Double]], _ labels: [Int]) throws(LearningProblem) {
    guard scores.count == labels.count else { throw .labels }
    for (row, (values, label)) in zip(scores, labels).enumerated() {
      guard values.indices.contains(label) else { throw .labels }
      guard values.allSatisfy(\.isFinite) else { throw .notFinite(row: row) }
    }
  }
}

extension Calibration {
  /// Returns the mean negative logarithm of the right answer's probability, as for scores.
  /// - Parameters:
  ///   - probabilities: The probability of each class: `[photos][classCount]`, 0…1; 0 counts as the least
  ///     normal number.
  ///   - targets: The targets of the photos, in the same number.
  /// - Returns: The loss; 0 without photos.
  package static func logLoss(ofProbabilities probabilities: [[Double]], _ targets: Targets) -> Double {
    var sum = 0.0
    var count = 0
    func add(_ probability: Double) {
      sum -= log(max(probability, .leastNormalMagnitude))
      count += 1
    }
    switch targets {
    case .one(let labels): for (row, label) in zip(probabilities, labels) { add(row[label]) }
    case .several(let sets):
      for (row, set) in zip(probabilities, sets) {
        for (index, value) in row.enumerated() { add(set.contains(index) ? value : 1 - value) }
      }
    }
    return count == 0 ? 0 : sum / Double(count)
  }
}

/// Computes the probability of yes without overflow.
enum LogSigmoid {
  /// Returns ln (1 / (1 + e^-score)).
  static func of(_ score: Double) -> Double { score >= 0 ? -log1p(exp(-score)) : score - log1p(exp(score)) }

  /// Returns 1 / (1 + e^-score).
  static func probability(_ score: Double) -> Double { exp(of(score)) }
}
