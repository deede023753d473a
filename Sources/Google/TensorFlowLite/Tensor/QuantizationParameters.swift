// SPDX-License-Identifier: Apache-2.0

/// How a tensor's integers stand for real numbers: real = scale × (stored − zero point).
public struct QuantizationParameters: Equatable, Hashable, Sendable {
  /// The step between neighbouring real numbers; never 0.
  public let scale: Float

  /// The integer that stands for the real number 0.
  public let zeroPoint: Int
}
