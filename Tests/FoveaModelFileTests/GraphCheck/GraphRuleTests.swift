// SPDX-License-Identifier: Apache-2.0

import FoveaTesting
import Testing

@testable import FoveaModelFile

/// Each rule of the graph check: a sound model passes, and one that only breaks this rule is rejected with
/// the reason.
///
/// The rules marked "seen" were broken by seeds of `ModelFuzzTests` that ended the process inside LiteRT 2.3.0.
@Suite struct GraphRuleTests {
  static let tensors = [
    GraphRule("sound") { _ in },
    GraphRule("a side below -1", "tensor 3 has a side of -2") { $0.graphs[0].tensors[3].shape[1] = -2 },
    GraphRule("a tensor of gigabytes", "tensor 3 would need more than 536870912 bytes") {
      $0.graphs[0].tensors[3].shape = [1, 20000, 20000, 2]
    },
    GraphRule("sides whose product overflows", "tensor 3 would need more than 536870912 bytes") {
      $0.graphs[0].tensors[3].shape = [Int32](repeating: .max, count: 9)
    },
    GraphRule("a missing buffer", "tensor 1 is in buffer 3, but the model has 3 buffers") {
      $0.graphs[0].tensors[1].buffer = 3
    },
    GraphRule("fewer weights than the shape", "tensor 1 needs 216 bytes, but its buffer has 215") {
      $0.buffers[1].removeLast()
    },
    GraphRule("open sides are not compared") {
      $0.graphs[0].tensors[1].signature = [2, -1, 3, 3]; $0.buffers[1].removeLast()
    },
    GraphRule("no buffers at all, and nothing constant") {
      $0.buffers = []
      $0.graphs[0].tensors = [.init(shape: [1]), .init(shape: [1])]
      $0.graphs[0].operators = [.init(code: 19, inputs: [0], outputs: [1])]
      $0.graphs[0].outputs = [1]
    },
    GraphRule("seen: a scale without zero point", "tensor 0 has 1 scales and 0 zero points") {
      $0.graphs[0].tensors[0].scales = [0.5]
    },
    GraphRule("seen: a zero point without scale", "tensor 0 has 0 scales and 1 zero points") {
      $0.graphs[0].tensors[0].zeroPoints = [0]
    },
    GraphRule("seen: a scale that is nearly zero", "tensor 0 has the scale 1e-45") {
      $0.graphs[0].tensors[0].scales = [.leastNonzeroMagnitude]
      $0.graphs[0].tensors[0].zeroPoints = [0]
    },
    GraphRule("a scale of 0", "tensor 0 has the scale 0.0") {
      $0.graphs[0].tensors[0].scales = [0]
      $0.graphs[0].tensors[0].zeroPoints = [0]
    },
    GraphRule("a scale that is not a number", "tensor 0 has the scale nan") {
      $0.graphs[0].tensors[0].scales = [.nan]
      $0.graphs[0].tensors[0].zeroPoints = [0]
    },
    GraphRule("a scale for each channel") {
      $0.graphs[0].tensors[1].scales = [1, 2]
      $0.graphs[0].tensors[1].zeroPoints = [0, 0]
    },
    GraphRule(
      "more scales than channels", "tensor 1 has 3 scales along dimension 0 of the shape [2, 3, 3, 3]"
    ) {
      $0.graphs[0].tensors[1].scales = [1, 2, 3]
      $0.graphs[0].tensors[1].zeroPoints = [0, 0, 0]
    },
    GraphRule(
      "a dimension beyond the rank", "tensor 1 has 2 scales along dimension 4 of the shape [2, 3, 3, 3]"
    ) {
      $0.graphs[0].tensors[1].scales = [1, 2]
      $0.graphs[0].tensors[1].zeroPoints = [0, 0]
      $0.graphs[0].tensors[1].dimension = 4
    },
  ]

  @Test(arguments: tensors) func `rules of tensors`(_ rule: GraphRule) {
    #expect(rule.failure()?.message == rule.message)
  }

  static let operators = [
    GraphRule("seen: a missing part", "operator 3 uses tensor -1, but the model has 7 tensors") {
      $0.append(2, [3, 4, -1, 3], makes: [1, 4, 3, 8], options: [0: 3])
    },
    GraphRule("a bias may be missing") { $0.graphs[0].operators[0].inputs[2] = -1 },
    GraphRule("a missing output", "operator 1 uses tensor 6, but the model has 6 tensors") {
      $0.graphs[0].operators[1].outputs = [6]
    },
    GraphRule(
      "the model's output is not there", "an input or output of the model is tensor 6, but it has 6 tensors"
    ) {
      $0.graphs[0].outputs = [6]
    },
    GraphRule(
      "seen: fewer inputs than the kernel reads",
      "operator 3 has 2 inputs and 1 outputs; its kind needs at least 4 and 1"
    ) { $0.append(45, [3, 4], makes: [1, 4, 3, 2]) },
    GraphRule("no output", "operator 1 has 1 inputs and 0 outputs; its kind needs at least 1 and 1") {
      $0.graphs[0].operators[1].outputs = []
    },
    GraphRule("read before it is written", "operator 0 reads tensor 5, which no earlier operator writes") {
      $0.graphs[0].operators[0].inputs[0] = 5
    },
    GraphRule("a state exists from the start") {
      $0.graphs[0].tensors.append(.init(shape: [1, 4, 3, 2], isVariable: true))
      $0.append(0, [4, 6], makes: [1, 4, 3, 2])
    },
    GraphRule("written twice", "operator 2 writes tensor 3, which already has content") {
      $0.graphs[0].operators[2].outputs = [3]
    },
    GraphRule("a constant is written", "operator 1 writes tensor 1, which already has content") {
      $0.graphs[0].operators[1].outputs = [1]
    },
    GraphRule("seen: an output that is a constant", "the model's output is tensor 1, which is a constant") {
      $0.graphs[0].outputs = [1]
    },
    GraphRule("an output that nothing writes", "the model's output is tensor 6, which no operator writes") {
      $0.graphs[0].tensors.append(.init(shape: [1]))
      $0.graphs[0].outputs = [6]
    },
    GraphRule(
      "too much at a time",
      "operator 3 needs tensors of 536871584 bytes at a time; at most 536870912 are allowed"
    ) {
      let size = $0.constant([1, 8192, 8192, 2])
      $0.append(94, [size, 2], makes: [1, 8192, 8192, 2])
      $0.graphs[0].outputs = [4, 7]
    },
  ]

  @Test(arguments: operators) func `rules of operators`(_ rule: GraphRule) {
    #expect(rule.failure()?.message == rule.message)
  }

  static let shapes = [
    GraphRule(
      "seen: an input that makes all larger",
      "operator 0 makes [1, 400, 3, 2], but its output is declared as [1, 4, 3, 2]"
    ) {
      $0.graphs[0].tensors[0].shape[1] = 800
    },
    GraphRule("open sides") { $0.graphs[0].tensors[0].shape[1] = -1 },
    GraphRule("without padding", "operator 0 makes [1, 3, 2, 2], but its output is declared as [1, 4, 3, 2]")
    {
      $0.graphs[0].operators[0].options?[0] = 1
    },
    GraphRule("a stride of 0", "operator 0 moves a window of [3, 3] by [0, 2], dilated by [1, 1]") {
      $0.graphs[0].operators[0].options?[1] = 0
    },
    GraphRule("a negative dilation", "operator 0 moves a window of [3, 3] by [2, 2], dilated by [-1, 1]") {
      $0.graphs[0].operators[0].options?[4] = -1
    },
    GraphRule(
      "weights for other channels", "operator 0 has weights of [2, 3, 1, 9] for an input of [1, 8, 6, 3]"
    ) {
      $0.graphs[0].tensors[1].shape = [2, 3, 1, 9]
    },
    GraphRule("weights of another rank", "operator 0 has weights of [2, 27]") {
      $0.graphs[0].tensors[1].shape = [2, 27]
    },
    GraphRule("no image", "operator 0 slides over [1, 144], which is not an image") {
      $0.graphs[0].tensors[0].shape = [1, 144]
    },
    GraphRule("a short bias", "operator 0 has a bias of [1] for 2 channels") {
      $0.graphs[0].tensors[2].shape = [1]
    },
    GraphRule(
      "seen: a depthwise convolution in 8 bits without bias",
      "operator 0 is an 8-bit depthwise convolution without a bias"
    ) {
      $0.graphs[0].tensors[1] = .init(shape: [1, 3, 3, 3], type: 9, buffer: 1)
      $0.graphs[0].operators[0] = .init(
        code: 4, inputs: [0, 1], outputs: [3], options: [0: 0, 1: 2, 2: 2, 3: 1])
    },
    GraphRule("a pool", "operator 3 makes [1, 2, 2, 2], but its output is declared as [1, 4, 3, 2]") {
      $0.append(17, [4], makes: [1, 4, 3, 2], options: [0: 0, 1: 2, 2: 2, 3: 2, 4: 2])
    },
    GraphRule(
      "a reshape that changes the count", "operator 2 makes 24 numbers, but its output is declared as [1, 25]"
    ) {
      $0.graphs[0].tensors[5].shape = [1, 25]
    },
    GraphRule(
      "parts that do not fill the whole",
      "operator 3 makes 48 numbers, but its output is declared as [1, 4, 3, 5]"
    ) {
      $0.append(2, [3, 4], makes: [1, 4, 3, 5])
    },
    GraphRule("a sum of tensors that cannot be broadcast", "operator 3 joins [1, 4, 3, 2] with [1, 24]") {
      $0.append(0, [4, 5], makes: [1, 4, 3, 24])
    },
    GraphRule("a sum that spreads a vector") { $0.append(0, [4, 2], makes: [1, 4, 3, 2]) },
    GraphRule("a layer whose rows do not fit", "operator 3 takes 24 numbers in rows of 27") {
      $0.graphs[0].tensors.append(.init(shape: [2, 27], buffer: 1))
      $0.append(9, [5, 6], makes: [1, 2])
    },
    GraphRule("a resize", "operator 3 makes [1, 9, 9, 2], but its output is declared as [1, 8, 6, 2]") {
      let size = $0.constant([9, 9])
      $0.append(97, [4, size], makes: [1, 8, 6, 2])
    },
    GraphRule("a fill", "operator 3 makes [9], but its output is declared as [8]") {
      let size = $0.constant([9])
      $0.append(94, [size, 2], makes: [8])
    },
    GraphRule("a broadcast", "operator 3 makes [2, 24], but its output is declared as [1, 24]") {
      let size = $0.constant([2, 24])
      $0.append(130, [5, size], makes: [1, 24])
    },
    GraphRule("a border", "operator 3 makes [4, 24], but its output is declared as [2, 24]") {
      let border = $0.constant([1, 2, 0, 0])
      $0.append(34, [5, border], makes: [2, 24])
    },
    GraphRule("a negative border", "operator 3 pads by [-1, 2, 0, 0]") {
      let border = $0.constant([-1, 2, 0, 0])
      $0.append(34, [5, border], makes: [2, 24])
    },
    GraphRule("a tile", "operator 3 makes [3, 24], but its output is declared as [2, 24]") {
      let times = $0.constant([3, 1])
      $0.append(69, [5, times], makes: [2, 24])
    },
  ]

  @Test(arguments: shapes) func `rules of sizes`(_ rule: GraphRule) {
    #expect(rule.failure()?.message == rule.message)
  }
}
