// SPDX-License-Identifier: Apache-2.0

extension LearnedHead {
  /// What is learned from.
  struct Problem: Sendable {
    private(set) var features: FeatureMatrix
    private(set) var targets: Targets
    let classCount: Int
    let otherClass: Int?
    /// What is right for the rows that are judged: all but mirrored photos, which come last.
    let judgedTargets: Targets
    /// Rows of one number are probably the same photo.
    private var groups: [Int]
    /// Rows of one number are the same file.
    private var files: [Int]
    /// Whether rows of one group may be of several classes, as crops of one photo.
    private let hasMixedGroups: Bool

    init(
      features: FeatureMatrix, targets: Targets, classCount: Int, groups: [Int], files: [Int],
      otherClass: Int?, hasMixedGroups: Bool = false
    ) {
      self.features = features
      self.targets = targets
      self.classCount = classCount
      self.groups = groups
      self.files = files
      self.otherClass = otherClass
      self.hasMixedGroups = hasMixedGroups
      judgedTargets = targets
    }

    /// Adds the same photos mirrored, each to the group of its original, so that no part learns from what it is asked about.
    /// - Parameter values: The embeddings, row by row, in the order of the rows.
    /// - Throws: `LearningProblem` for numbers that are not finite.
    mutating func add(mirrored values: [Float]) throws(LearningProblem) {
      var all: [Float] = []
      all.reserveCapacity(2 * values.count)
      for row in 0..<features.rowCount { all += features[row] }
      features = try FeatureMatrix(columnCount: features.columnCount, values: all + values)
      targets = targets.twice
      groups += groups
      files += files
    }

    /// Parts in which photos that are probably the same stay together.
    ///
    /// Where all of a class are alike, as parts on one table may be, only files that are the same do.
    func folds(_ options: LabelTrainer.Options) throws(LearningProblem) -> Folds {
      do throws(LearningProblem) { return try folds(options, groups: groups) } catch {
        guard error == .labels else { throw error }
        return try folds(options, groups: files)
      }
    }

    private func folds(_ options: LabelTrainer.Options, groups: [Int]) throws(LearningProblem) -> Folds {
      switch targets {
      case .one(let labels) where hasMixedGroups:
        try Folds(
          sets: labels.map { [$0] }, classCount: classCount, groups: groups, count: options.folds,
          seed: options.seed)
      case .one(let labels):
        try Folds(labels: labels, groups: groups, count: options.folds, seed: options.seed)
      case .several(let sets):
        try Folds(
          sets: sets, classCount: classCount, groups: groups, count: options.folds, seed: options.seed)
      }
    }
  }
}

extension Targets {
  /// The same photos once more behind themselves.
  fileprivate var twice: Targets {
    switch self {
    case .one(let labels): .one(labels + labels)
    case .several(let sets): .several(sets + sets)
    }
  }
}
