// SPDX-License-Identifier: Apache-2.0

/// An int8 convolution that LiteRT's own kernels compute and XNNPACK cannot prepare: the product of the scales of input and
/// weights is 1,000 times the output's, and XNNPACK ends at 256.
///
/// Its input is int8 [1, 4, 4, 3], its output int8 [1, 4, 4, 2]; zeros give 0 and 127, because 5 · 1,000 is
/// more than int8 holds.
package enum RefusedConvolution {
  package static func model() -> TestModel {
    TestModel(
      tensors: [
        .quantized([1, 4, 4, 3], 9, 0.001), .quantized([2, 1, 1, 3], 9, 1, buffer: 1),
        .quantized([2], 2, 0.001, buffer: 2), .quantized([1, 4, 4, 2], 9, 1e-6),
      ],
      operators: [
        .init(code: 3, inputs: [0, 1, 2], outputs: [3], options: [0: 1, 1: 1, 2: 1, 4: 1, 5: 1])
      ],
      inputs: [0], outputs: [3], buffers: [[], [1, 2, 3, 255, 0, 1], [0, 0, 0, 0, 5, 0, 0, 0]])
  }
}
