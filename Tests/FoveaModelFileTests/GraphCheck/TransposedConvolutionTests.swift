// SPDX-License-Identifier: Apache-2.0

import FoveaTesting
import Testing

@testable import FoveaModelFile

/// Strides of transposed convolutions: seeds 1176, 2206, 7411 and 9389 of `RuntimeFuzzTests` ended the process inside
/// XNNPACK, or took gigabytes.
@Suite struct TransposedConvolutionTests {
  static let cases: [GraphRule] = [
    GraphRule("strides of 2", nil) { _ in },
    GraphRule("a stride of 0", "operator 0 moves a transposed window by [0, 2], expected 1…256") {
      $0.graphs[0].operators[0].options?[2] = 0
    },
    GraphRule("a negative stride", "operator 0 moves a transposed window by [2, -1], expected 1…256") {
      $0.graphs[0].operators[0].options?[1] = -1
    },
    GraphRule("a huge stride", "operator 0 moves a transposed window by [2, 16777218], expected 1…256") {
      $0.graphs[0].operators[0].options?[1] = 16_777_218
    },
    GraphRule("no options", "operator 0 moves a transposed window by [0, 0], expected 1…256") {
      $0.graphs[0].operators[0].options = nil
    },
    GraphRule("strides that leave the output", "operator 0 spreads [1, 2, 2, 4] by [4, 2] over [1, 4, 4, 16]")
    {
      $0.graphs[0].operators[0].options?[2] = 4
    },
    GraphRule(
      "weights for another input",
      "operator 0 has weights of [16, 2, 2, 4] to make [1, 4, 4, 16] from [1, 2, 2, 2]"
    ) {
      $0.graphs[0].tensors[0].shape[3] = 2
    },
  ]

  @Test(arguments: cases) func `strides are those that an output has room for`(_ rule: GraphRule) {
    let model = HybridFilter(.transposed, scales: [Float](repeating: 0.01, count: 16), dimension: 0).model()
    #expect(rule.failure(model)?.message == rule.message)
  }
}
