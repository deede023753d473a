// SPDX-License-Identifier: Apache-2.0

import FoveaCore

/// The objective of a head: the mean cross-entropy of a softmax over classes, with a penalty on the weights.
///
/// J = 1/n Σ CE(yᵢ, softmax(W aᵢ + b)) + l/2 |W|²; biases have no penalty. Products are in Float32, sums in
/// Double; blocks of rows are added in order, so that the sum is the same in each run.
struct SoftmaxObjective {
  let features: FeatureMatrix
  /// The class of each row of `features`.
  let labels: [Int]
  /// The rows to use.
  let rows: [Int]
  let classCount: Int
  let strength: Double

  private static let block = 1024

  /// The number of parameters: the weights of each class, then the biases.
  var parameterCount: Int { classCount * (features.columnCount + 1) }

  /// Returns the value at a point.
  /// - Parameters:
  ///   - point: Weights and biases.
  ///   - gradient: Set to the gradient at the point.
  /// - Returns: J.
  func value(at point: [Double], gradient: inout [Double]) -> Double {
    let width = features.columnCount
    let weightCount = classCount * width
    let weights = point[..<weightCount].map { Float($0) }
    let share = 1 / Double(rows.count)
    var loss = 0.0
    for index in gradient.indices { gradient[index] = 0 }
    var sums = [Float](repeating: 0, count: weightCount)
    var scores = [Double](repeating: 0, count: classCount)
    for start in stride(from: 0, to: rows.count, by: SoftmaxObjective.block) {
      for index in sums.indices { sums[index] = 0 }
      for row in rows[start..<min(start + SoftmaxObjective.block, rows.count)] {
        for index in 0..<classCount {
          scores[index] =
            Double(FloatVectors.dot(features.values, row * width, weights, index * width, width))
            + point[weightCount + index]
        }
        loss -= LogSoftmax.apply(to: &scores, at: labels[row])
        for index in 0..<classCount {
          let difference = (scores[index] - (index == labels[row] ? 1 : 0)) * share
          gradient[weightCount + index] += difference
          FloatVectors.add(Float(difference), features.values, row * width, to: &sums, index * width, width)
        }
      }
      for index in 0..<weightCount { gradient[index] += Double(sums[index]) }
    }
    var squares = 0.0
    for index in 0..<weightCount {
      squares += point[index] * point[index]
      gradient[index] += strength * point[index]
    }
    return loss * share + strength / 2 * squares
  }
}

/// Computes probabilities of scores without overflow.
enum LogSoftmax {
  /// Replaces scores with probabilities.
  /// - Returns: The logarithm of the probability of the class `index`.
  static func apply(to scores: inout [Double], at index: Int) -> Double {
    let largest = scores.max() ?? 0
    var sum = 0.0
    for score in scores { sum += exp(score - largest) }
    let logarithm = scores[index] - largest - log(sum)
    for place in scores.indices { scores[place] = exp(scores[place] - largest) / sum }
    return logarithm
  }
}
