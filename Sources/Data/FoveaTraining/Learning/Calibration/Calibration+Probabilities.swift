// SPDX-License-Identifier: Apache-2.0

import FoveaCore

extension Calibration {
  /// The mean negative logarithm of the probability of what is right, as of scores.
  /// - Parameters:
  ///   - probabilities: The probability of each class: `[photos][classCount]`, 0…1; 0 counts as the least normal number.
  ///   - targets: What is right for each photo; as many.
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
