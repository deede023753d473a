// SPDX-License-Identifier: Apache-2.0

import FoveaCore
import FoveaMetadata

/// The normalisation that a model itself shows, by the beginning of its graph or by its family.
package struct InferredNormalization: Sendable, Hashable {
  let value: Normalization
  /// `graph` or `family`.
  let source: NormalizationSource

  /// Nil where pixels go in as they are.
  init?(_ input: ImageInputTensor) {
    guard let normalization = input.normalization else { return nil }
    value = normalization
    source = input.normalizationSource
  }

  /// The part of the range of a channel by which numbers may differ: 127 and 128 are given for 127.5.
  private static let tolerance: Float = 0.02

  /// Whether other numbers would come out of pixels.
  func contradicts(_ other: Normalization) -> Bool {
    (0..<3).contains { channel in
      let (told, given) = (Self.range(value, channel), Self.range(other, channel))
      let allowed = Self.tolerance * abs(told.high - told.low)
      return abs(told.low - given.low) > allowed || abs(told.high - given.high) > allowed
    }
  }

  /// - Throws: `option-invalid` for a normalisation that does not fit the model.
  func check(_ given: Normalization, modelName: String) throws(FoveaError) {
    guard contradicts(given) else { return }
    let place = source == .graph ? "the beginning of its graph shows" : "its family has"
    throw .optionInvalid(
      "'\(modelName)' wants its pixels with mean \(Self.text(value.mean)), deviation "
        + "\(Self.text(value.standardDeviation)), as \(place), not with mean \(Self.text(given.mean)), deviation "
        + Self.text(given.standardDeviation),
      remedy: source == .graph
        ? "Leave \(option: "normalize") out: the right numbers are then written"
        : "Leave \(option: "normalize") out: the right numbers are then written. A model that was trained with others gets "
          + "them with \(option: "normalize") at each run")
  }

  private static func text(_ values: [Float]) -> String { values.map(\.description).joined(separator: ", ") }

  /// What pixels 0 and 255 of a channel become.
  private static func range(_ normalization: Normalization, _ channel: Int) -> (low: Float, high: Float) {
    let mean = normalization.mean[normalization.mean.count == 1 ? 0 : channel]
    let deviation = normalization.standardDeviation[normalization.standardDeviation.count == 1 ? 0 : channel]
    return ((0 - mean) / deviation, (255 - mean) / deviation)
  }
}
