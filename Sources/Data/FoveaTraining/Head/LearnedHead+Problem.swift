// SPDX-License-Identifier: Apache-2.0

extension LearnedHead {
  /// The training data of a head.
  struct Problem: Sendable {
    private(set) var features: FeatureMatrix
    private(set) var targets: Targets
    let classCount: Int
    let otherClass: Int?
    /// The targets of the evaluated rows: all except mirrored photos, which come last.
    let judgedTargets: Targets
    /// The group of each row; rows of one group are probably the same photo.
    private var groups: [Int]
    /// The file of each row; rows with the same number are the same file.
    private var files: [Int]
    /// Whether rows of one group may have several classes, as crops of one photo do.
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

    /// Adds the mirrored photos to the groups of their originals, so that no part is evaluated on training
    /// photos.
    /// - Parameter values: The embeddings, row by row, in the order of the rows.
    /// - Throws: `LearningProblem` if numbers are not finite.
    mutating func add(mirrored values: [Float]) throws(LearningProblem) {
      var all: [Float] = []
      all.reserveCapacity(2 * values.count)
      for row in 0..<features.rowCount { all += features[row] }
      features = try FeatureMatrix(columnCount: features.columnCount, values: all + values)
      targets = targets.twice
      groups += groups
      files += files
    }

    /// Returns parts that keep probable duplicates together.
    ///
    /// If all photos of a class are alike, such as parts on one table, only identical files stay together.
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
  /// The targets, repeated once for the mirrored photos.
  fileprivate var twice: Targets {
    switch self {
    case .one(let labels): .one(labels + labels)
    case .several(let sets): .several(sets + sets)
    }
  }
}
