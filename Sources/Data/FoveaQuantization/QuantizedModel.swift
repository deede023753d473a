// SPDX-License-Identifier: Apache-2.0

import FoveaCore

/// An int8 model with the figures of its making.
package struct QuantizedModel: Sendable {
  /// A layer with its part of the noise.
  package struct Layer: Sendable, Hashable {
    /// The name of the layer's output.
    package let name: String
    /// The noise of the layer, if no other computes in int8, relative to that of all layers, 0…1.
    package let share: Double
    /// Whether the layer stays float.
    package let isFloat: Bool
  }

  /// The model file.
  package let bytes: [UInt8]
  /// The layers from the noisiest.
  package let layers: [Layer]
  /// The number of operators of the decoding, which stays float.
  package let tailCount: Int
  /// The operators between layers that have no int8 form, by name.
  package let islands: [(name: String, count: Int)]
  /// The number of photos that chose the ranges, and of those that were compared.
  package let photoCounts: (calibration: Int, compared: Int)
  /// The agreement with the float model; nil if there was nothing to compare.
  package let agreement: Double?
  /// All figures of both models.
  package let comparison: ComparedModels
  /// The photos that could not be read.
  package let failed: [ComparedModels.Failed]

  /// The layers that stay float.
  package var floatLayers: [Layer] { layers.filter(\.isFloat) }

  /// The ratio of processor times from which an int8 model counts as slower.
  private static let slowRatio = 0.95

  /// Whether the int8 model is hardly faster than the float model, or slower.
  package var isSlow: Bool { comparison.times?.ratio.map { $0 > Self.slowRatio } ?? false }
}
