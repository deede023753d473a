// SPDX-License-Identifier: Apache-2.0

import FoveaCore
import FoveaMetadata

/// The normalisation that a model's graph or family implies.
package struct InferredNormalization: Sendable, Hashable {
  let value: Normalization
  /// `graph` or `family`.
  let source: NormalizationSource

  /// Returns nil if the input takes raw pixels.
  init?(_ input: ImageInputTensor) {
    guard let normalization = input.normalization else { return nil }
    value = normalization
    source = input.normalizationSource
  }

  /// Creates the normalisation of a family.
  init(_ ofFamily: Normalization) { (value, source) = (ofFamily, .family) }

  /// The allowed difference as a fraction of a channel's range: 127 and 128 are used for 127.5.
  private static let tolerance: Float = 0.02

  /// Returns whether another normalisation maps pixels to other numbers.
  func contradicts(_ other: Normalization) -> Bool {
    (0..<3).contains { channel in
      let (told, given) = (Self.range(value, channel), Self.range(other, channel))
      let allowed = Self.tolerance * abs(told.high - told.low)
      return abs(told.low - given.low) > allowed || abs(told.high - given.high) > allowed
    }
  }

  /// - Throws: `option-invalid` for a normalisation that does not match the model.
  func check(_ given: Normalization, modelName: String) throws(FoveaError) {
    guard contradicts(given) else { return }
    let place = source == .graph ? "the beginning of its graph shows" : "its family requires"
    throw .optionInvalid(
      "'\(modelName)' expects pixels with mean \(Self.text(value.mean)), deviation "
        + "\(Self.text(value.standardDeviation)), as \(place), not with mean \(Self.text(given.mean)),"
        + " deviation \(Self.text(given.standardDeviation))",
      remedy: source == .graph
        ? "Leave \(option: "normalize") out: the right numbers are then written"
        : "Leave \(option: "normalize") out: the right numbers are then written. For a model that was trained"
          + " with others, set them with \(option: "normalize") at each run")
  }

  private static func text(_ values: [Float]) -> String { values.map(\.description).joined(separator: ", ") }

  /// Returns the values of pixels 0 and 255 of a channel after normalisation.
  private static func range(_ normalization: Normalization, _ channel: Int) -> (low: Float, high: Float) {
    let mean = normalization.mean[normalization.mean.count == 1 ? 0 : channel]
    let deviation = normalization.standardDeviation[normalization.standardDeviation.count == 1 ? 0 : channel]
    return ((0 - mean) / deviation, (255 - mean) / deviation)
  }
}
