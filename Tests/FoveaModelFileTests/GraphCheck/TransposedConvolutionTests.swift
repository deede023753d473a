// SPDX-License-Identifier: Apache-2.0

import FoveaTesting
import Testing

@testable import FoveaModelFile

/// Strides of transposed convolutions: seeds 1176, 2206, 7411 and 9389 of `RuntimeFuzzTests` ended the process inside
/// XNNPACK, or took gigabytes.
@Suite struct TransposedConvolutionTests {
  struct Case: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let message: String?
    let change: @Sendable (inout GraphModel) -> Void

    init(_ id: String, _ message: String?, _ change: @escaping @Sendable (inout GraphModel) -> Void) {
      testDescription = id
      self.message = message
      self.change = change
    }
  }

  static let cases = [
    Case("strides of 2", nil) { _ in },
    Case("a stride of 0", "operator 0 moves a transposed window by [0, 2], expected 1…256") {
      $0.graphs[0].operators[0].options?[2] = 0
    },
    Case("a negative stride", "operator 0 moves a transposed window by [2, -1], expected 1…256") {
      $0.graphs[0].operators[0].options?[1] = -1
    },
    Case("a huge stride", "operator 0 moves a transposed window by [2, 16777218], expected 1…256") {
      $0.graphs[0].operators[0].options?[1] = 16_777_218
    },
    Case("no options", "operator 0 moves a transposed window by [0, 0], expected 1…256") {
      $0.graphs[0].operators[0].options = nil
    },
    Case("strides that leave the output", "operator 0 spreads [1, 2, 2, 4] by [4, 2] over [1, 4, 4, 16]") {
      $0.graphs[0].operators[0].options?[2] = 4
    },
    Case(
      "weights for another input",
      "operator 0 has weights of [16, 2, 2, 4] to make [1, 4, 4, 16] of [1, 2, 2, 2]"
    ) {
      $0.graphs[0].tensors[0].shape[3] = 2
    },
  ]

  @Test(arguments: cases) func `strides are those that an output has room for`(_ item: Case) {
    var model = HybridFilter(.transposed, scales: [Float](repeating: 0.01, count: 16), dimension: 0).model()
    item.change(&model)
    let bytes = model.bytes()
    #expect(
      failure { () throws(MetadataError) in try ModelGraphCheck.check(bytes.span) }?.message == item.message)
  }
}
