// SPDX-License-Identifier: Apache-2.0

/// The limits of a scale of integer weights.
package enum ChannelScale {
  /// The largest bias.
  ///
  /// With this and the largest sum of products, 16,384 · 254 · 255, sums fit into 32 bits.
  package static let largestBias: Float = 0x1p29
  /// The largest scale, with which float32 holds the products that kernels compute.
  package static let largest: Float = 0x1p100
  /// The smallest step of a product relative to a step of the output: kernels multiply by this quotient, for
  /// which they allow 2^-32 to 2^8.
  private static let leastQuotient: Float = 0x1p-24

  /// Returns the finest scale of weights that is at least `scale` and keeps bias and quotient within their
  /// limits.
  package static func finest(
    _ scale: Float, bias: Float, input: TensorScale, output: TensorScale
  ) -> Float {
    max(scale, bias / input.scale / largestBias, output.scale / input.scale * leastQuotient, 0x1p-100)
  }
}
