// SPDX-License-Identifier: Apache-2.0

/// The agreement of two models whose outputs are numbers: the mean cosine of the angle between them.
package struct VectorAgreement: Sendable, Hashable {
  /// The number of pairs of outputs.
  package private(set) var pairCount = 0
  private var cosines = 0.0

  /// Creates an agreement without outputs.
  package init() {}

  /// Adds the outputs of one image.
  /// - Parameters:
  ///   - first: The numbers of each output of the first model.
  ///   - second: The second model's, as many of each.
  /// - Precondition: Both have the same number of outputs and numbers.
  package mutating func add(_ first: [[Float]], _ second: [[Float]]) {
    precondition(first.map(\.count) == second.map(\.count), "outputs of different lengths")
    for (ours, theirs) in zip(first, second) {
      cosines += Self.cosine(ours, theirs)
      pairCount += 1
    }
  }

  /// The mean cosine, −1…1; nil without outputs, NaN if an output has a number that is not finite.
  package var meanCosine: Double? { pairCount == 0 ? nil : cosines / Double(pairCount) }

  /// Returns the cosine of the angle between two vectors of the same length: 1 if both are zero, 0 if one is.
  package static func cosine(_ first: [Float], _ second: [Float]) -> Double {
    var (product, firstSquares, secondSquares) = (0.0, 0.0, 0.0)
    for (a, b) in zip(first, second) {
      product += Double(a) * Double(b)
      firstSquares += Double(a) * Double(a)
      secondSquares += Double(b) * Double(b)
    }
    if firstSquares == 0 || secondSquares == 0 { return firstSquares == secondSquares ? 1 : 0 }
    // Two roots: the product of the squares may overflow. Equal vectors have a cosine of exactly 1.
    if firstSquares == secondSquares, product == firstSquares { return 1 }
    let cosine = product / firstSquares.squareRoot() / secondSquares.squareRoot()
    return cosine.isNaN ? cosine : max(-1, min(1, cosine))
  }
}
