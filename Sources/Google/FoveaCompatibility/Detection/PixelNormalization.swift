// SPDX-License-Identifier: Apache-2.0

import FoveaMetadata

/// The normalisation of a model's pixels: value = (pixel − mean) ÷ deviation, for each of red, green and
/// blue, pixels 0…255.
public struct PixelNormalization: Sendable, Hashable {
  /// One value for all channels, or one each for red, green and blue.
  public var mean: [Float]
  /// One value for all channels, or one each for red, green and blue; not 0.
  public var standardDeviation: [Float]

  /// Creates a normalisation with a value for each channel.
  /// - Parameters:
  ///   - mean: One or three values; 127.5 for most models with inputs of −1…1, 0 for those of 0…1.
  ///   - standardDeviation: The same number of values, none of them 0; 127.5 for −1…1, 255 for 0…1.
  public init(mean: [Float], standardDeviation: [Float]) {
    self.mean = mean
    self.standardDeviation = standardDeviation
  }

  /// Creates a normalisation with the same values for all channels.
  public init(mean: Float, standardDeviation: Float) {
    self.init(mean: [mean], standardDeviation: [standardDeviation])
  }

  /// The normalisation in Fovea's type.
  var normalization: Normalization { Normalization(mean: mean, standardDeviation: standardDeviation) }
}
