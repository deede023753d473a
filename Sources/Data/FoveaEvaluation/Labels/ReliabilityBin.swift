// SPDX-License-Identifier: Apache-2.0

/// Answers with similar probabilities, and the number of right ones: a column of a reliability diagram.
package struct ReliabilityBin: Sendable, Equatable {
  /// The range of the bin's probabilities, without the lower bound.
  package let lower: Double
  package let upper: Double
  package fileprivate(set) var count = 0
  /// The sum of the answers' probabilities.
  package fileprivate(set) var probabilitySum = 0.0
  package fileprivate(set) var rightCount = 0

  /// Distributes answers to bins of equal width, without their lower bounds: (0, 1/n], (1/n, 2/n] and so on.
  /// - Parameters:
  ///   - probabilities: The probability of each answer, 0…1.
  ///   - areRight: Whether each is right, in the same number.
  ///   - count: The number of bins.
  /// - Returns: All bins in rising order, including those without answers.
  package static func all(_ probabilities: [Double], areRight: [Bool], count: Int) -> [ReliabilityBin] {
    var bins = (0..<count).map { index in
      ReliabilityBin(lower: Double(index) / Double(count), upper: Double(index + 1) / Double(count))
    }
    for (probability, isRight) in zip(probabilities, areRight) {
      let index = min(count - 1, max(0, Int((probability * Double(count)).rounded(.up)) - 1))
      bins[index].count += 1
      bins[index].probabilitySum += probability
      bins[index].rightCount += isRight ? 1 : 0
    }
    return bins
  }
}
