// SPDX-License-Identifier: Apache-2.0

/// The conversion of pixel values 0…255 to the numbers of a float model: (pixel − mean) / standardDeviation.
public struct Normalization: Sendable, Hashable {
  /// One value for all channels, or one for each in their order, in pixel units; one for grey.
  public var mean: [Float]
  /// One value for all channels, or one for each in their order, in pixel units; never 0.
  public var standardDeviation: [Float]

  /// Creates a normalisation.
  public init(mean: [Float], standardDeviation: [Float]) {
    self.mean = mean
    self.standardDeviation = standardDeviation
  }
}
