// SPDX-License-Identifier: Apache-2.0

/// The mapping of a tensor's integers to real numbers: real = scale × (stored − zero point).
public struct QuantizationParameters: Equatable, Hashable, Sendable {
  /// The step between neighbouring real numbers; never 0.
  public let scale: Float

  /// The integer that represents the real number 0.
  public let zeroPoint: Int
}
