// SPDX-License-Identifier: Apache-2.0

import FoveaMetadata
import Testing

@Suite struct ScoreActivationTests {
  struct Row: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var activation: ScoreActivation
    var scores: [Float]
    var expected: [Float]
  }

  static let rows = [
    Row(testDescription: "none", activation: .none, scores: [-2, 7], expected: [-2, 7]),
    Row(
      testDescription: "sigmoid", activation: .sigmoid, scores: [0, 2, -100, 100],
      expected: [0.5, 0.880797, 0, 1]),
    // Computed with SciPy's softmax.
    Row(
      testDescription: "softmax", activation: .softmax, scores: [1, 2, 3],
      expected: [0.0900306, 0.244728, 0.665241]),
    Row(
      testDescription: "softmax of negative logits", activation: .softmax, scores: [-5, -4],
      expected: [0.268941, 0.731059]),
    Row(
      testDescription: "softmax of huge logits", activation: .softmax, scores: [1e30, 1e30, -1e30],
      expected: [0.5, 0.5, 0]),
    Row(
      testDescription: "softmax of a tie", activation: .softmax, scores: [3, 3, 3, 3],
      expected: [0.25, 0.25, 0.25, 0.25]),
    Row(testDescription: "softmax of one", activation: .softmax, scores: [-7], expected: [1]),
    Row(
      testDescription: "softmax with a masked class", activation: .softmax, scores: [-.infinity, 0],
      expected: [0, 1]),
    Row(testDescription: "softmax of nothing", activation: .softmax, scores: [], expected: []),
    Row(testDescription: "sigmoid of nothing", activation: .sigmoid, scores: [], expected: []),
  ]

  @Test(arguments: rows) func `scores become probabilities`(_ row: Row) {
    var scores = row.scores
    row.activation.apply(to: &scores)
    #expect(scores.count == row.expected.count)
    for (score, expected) in zip(scores, row.expected) {
      #expect(abs(score - expected) <= 1e-5 * max(1, abs(expected)), "\(scores)")
    }
  }

  @Test func `NaN takes no part in a softmax`() {
    var scores: [Float] = [.nan, 0, 0]
    ScoreActivation.softmax.apply(to: &scores)
    #expect(scores[0].isNaN)
    #expect(scores[1...] == [0.5, 0.5])
  }

  @Test func `an infinite logit is left for the reader to reject`() {
    var scores: [Float] = [.infinity, 0]
    ScoreActivation.softmax.apply(to: &scores)
    #expect(scores == [.infinity, 0])
  }
}
