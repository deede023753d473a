// SPDX-License-Identifier: Apache-2.0

package import FoveaEvaluation

extension Thresholds {
  /// Measures all thresholds.
  /// - Parameters:
  ///   - probabilities: The calibrated probability of each class: `[photos][classCount]`.
  ///   - targets: The targets of the photos.
  /// - Throws: `LearningProblem` if targets do not fit or probabilities are not finite.
  /// - Complexity: O(*n* log *n*) for *n* photos times classes.
  package init(probabilities: [[Double]], targets: Targets) throws(LearningProblem) {
    try Calibration.check(probabilities, targets)
    let classCount = probabilities.first?.count ?? 0
    if let row = probabilities.firstIndex(where: { $0.count != classCount }) {
      throw .length(row: row, found: probabilities[row].count, expected: classCount)
    }
    var answers = [[Answer]](repeating: [], count: classCount)
    for (row, values) in probabilities.enumerated() {
      for (index, value) in values.enumerated() {
        answers[index].append(Answer(score: value, isRight: targets.has(index, of: row)))
      }
    }
    self.init(all: Thresholds.curve(Array(answers.joined())), classes: answers.map { Thresholds.curve($0) })
  }
}

extension Targets {
  /// Whether a photo has a class.
  func has(_ index: Int, of row: Int) -> Bool {
    switch self {
    case .one(let labels): labels[row] == index
    case .several(let sets): sets[row].contains(index)
    }
  }
}
