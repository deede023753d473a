// SPDX-License-Identifier: Apache-2.0

/// A trained linear head on embeddings, with its answers for held-out photos.
struct LearnedHead: Sendable {
  /// The weights of the head for the backbone's embeddings, class by class.
  let weights: [Float]
  let biases: [Float]
  /// The mean embedding, around which quantised weights are kept exact.
  let mean: [Float]
  /// The range of scores before softmax or sigmoid on the training photos.
  let scoreRange: ClosedRange<Float>
  let strength: Double
  let temperature: Double
  /// The probability of each class for each photo, from the fold's head that was not trained on it.
  let probabilities: [[Double]]
  let folds: Folds

  /// Tries strengths on folds, then trains on all rows.
  init(_ problem: Problem, _ options: LabelTrainer.Options, jobs: Int) throws(LearningProblem) {
    folds = try problem.folds(options)
    let validation = try CrossValidation(
      problem.features, targets: problem.targets, classCount: problem.classCount, folds: folds,
      strength: options.strength, jobs: jobs)
    strength = validation.strength
    let scores = Array(validation.scores.prefix(problem.judgedTargets.count))
    temperature = try Temperature(scores: scores, targets: problem.judgedTargets).value
    let shift = LearnedHead.shift(problem, options)
    probabilities = LearnedHead.probabilities(
      scores, problem.judgedTargets, temperature: temperature, shift: shift)
    let scale = try FeatureScale(of: problem.features, rows: Array(0..<problem.features.rowCount))
    let head = try FittedHead(
      scale.scaled(problem.features), targets: problem.targets, classCount: problem.classCount,
      strength: strength, jobs: jobs)
    let folded = LearnedHead.fold(head, scale, temperature: temperature, shift: shift)
    (weights, biases) = folded
    mean = scale.mean
    scoreRange = LearnedHead.range(weights: folded.weights, biases: folded.biases, problem.features)
  }

  /// Returns the probabilities of embeddings that were not used for training.
  func probabilities(of features: FeatureMatrix, like targets: Targets) -> [[Double]] {
    let scores = (0..<features.rowCount).map { row in
      LearnedHead.scores(of: features[row], weights: weights, biases: biases).map { Double($0) }
    }
    return Calibration.probabilities(scores, targets)
  }

  private static func probabilities(
    _ scores: [[Double]], _ targets: Targets, temperature: Double, shift: [Double]
  ) -> [[Double]] {
    let shifted = scores.map { row in zip(row, shift).map { $0 / temperature - $1 } }
    return Calibration.probabilities(shifted, targets)
  }

  /// Returns the number to subtract from each class's score because its share of photos differs from its
  /// share in use.
  ///
  /// With sigmoids, each class is independent of the others, so nothing is subtracted.
  static func shift(_ problem: Problem, _ options: LabelTrainer.Options) -> [Double] {
    guard options.prior == .uniform, case .one = problem.targets else {
      return [Double](repeating: 0, count: problem.classCount)
    }
    return PriorShift.uniform(
      counts: problem.targets.counts(classCount: problem.classCount),
      keeping: problem.otherClass.map { [$0] } ?? [])
  }

  /// Folds scaling, temperature and prior into the weights, so that no reader of the model needs them.
  static func fold(
    _ head: FittedHead, _ scale: FeatureScale, temperature: Double, shift: [Double]
  ) -> (weights: [Float], biases: [Float]) {
    let width = scale.mean.count
    let divisor = Double(scale.scale)
    let biases = head.biases.enumerated().map { index, bias in
      var offset = 0.0
      for column in 0..<width { offset += head.weights[index * width + column] * Double(scale.mean[column]) }
      return Float((bias - offset / divisor) / temperature - shift[index])
    }
    return (head.weights.map { Float($0 / (divisor * temperature)) }, biases)
  }

  private static func range(
    weights: [Float], biases: [Float], _ features: FeatureMatrix
  ) -> ClosedRange<Float> {
    var (least, largest) = (Float.infinity, -Float.infinity)
    for row in 0..<features.rowCount {
      for score in scores(of: features[row], weights: weights, biases: biases) {
        (least, largest) = (min(least, score), max(largest, score))
      }
    }
    return min(least, largest)...max(least, largest)
  }

  static func scores(of values: ArraySlice<Float>, weights: [Float], biases: [Float]) -> [Float] {
    let width = values.count
    return biases.enumerated().map { index, bias in
      var sum = bias
      for (weight, value) in zip(weights[index * width..<(index + 1) * width], values) {
        sum += weight * value
      }
      return sum
    }
  }
}
