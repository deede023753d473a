// SPDX-License-Identifier: Apache-2.0

/// Answers of about the same probability, and how many of them are right: a column of a reliability diagram.
package struct ReliabilityBin: Sendable, Equatable {
  /// The probabilities of the bin, open below.
  package let lower: Double
  package let upper: Double
  package fileprivate(set) var count = 0
  /// The sum of their probabilities.
  package fileprivate(set) var probabilitySum = 0.0
  package fileprivate(set) var rightCount = 0

  /// Sorts answers into bins of equal width, open below: (0, 1/n], (1/n, 2/n] and so on.
  /// - Parameters:
  ///   - probabilities: The probability of each answer, 0…1.
  ///   - areRight: Whether each is right; as many.
  ///   - count: How many bins.
  /// - Returns: All bins, rising, those without answers among them.
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
