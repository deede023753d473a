// SPDX-License-Identifier: Apache-2.0

import FoveaDecoding
import FoveaImage
import FoveaMetadata

/// The normalisation of an input: the first source that has one.
struct NormalizationChoice: Sendable, Hashable {
  /// The normalisation; nil for raw pixels.
  let value: Normalization?
  let source: NormalizationSource

  /// The normalisation of MobileNet-like float models, −1…1, used if no other source has one.
  static let assumed = Normalization(mean: [127.5], standardDeviation: [127.5])

  /// - Parameters:
  ///   - elementType: The type of the input.
  ///   - isQuantized: Whether its numbers have a scale.
  ///   - takesRawPixels: Whether an int8 input replaces a stored uint8 one.
  ///   - option: The caller's normalisation, which takes precedence over all others.
  ///   - stated: The normalisation in the metadata.
  ///   - scale: The pixel values that the graph expects.
  ///   - family: The usual normalisation of the model's family.
  init(
    _ elementType: ImageTensorSpec.ElementType, isQuantized: Bool, takesRawPixels: Bool,
    option: Normalization?, stated: Normalization?, scale: PixelScale?, family: Normalization?
  ) {
    let isFloat = elementType == .float32
    // uint8 models take raw pixels, regardless of their metadata: the contract of the Task Library and ML
    // Kit. Those of int32 do, too.
    let isRaw = elementType == .uint8 || elementType == .int32 || takesRawPixels
    let hasValues = !isRaw && (isFloat || isQuantized)
    let candidates: [(NormalizationSource, Normalization?)] = [
      (.option, option),
      (.metadata, hasValues ? stated : nil),
      (.graph, isFloat && !isRaw ? scale?.normalization : nil),
      (.family, hasValues ? family : nil),
      (.assumed, isFloat && !isRaw ? Self.assumed : nil),
    ]
    let chosen = candidates.first { $0.1 != nil }
    (source, value) = (chosen?.0 ?? .none, chosen?.1)
  }
}
