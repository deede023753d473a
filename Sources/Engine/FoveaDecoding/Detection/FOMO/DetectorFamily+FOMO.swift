// SPDX-License-Identifier: Apache-2.0

import FoveaMetadata
import FoveaRuntime

extension DetectorFamily {
  /// Edge Impulse FOMO: a heat map with a channel for the background and one for each class.
  ///
  /// **Source:** Edge Impulse's image block (0…1); the threshold is that of its exports.
  public static let fomo: DetectorFamily = .init(
    name: "fomo", rule: "one output [1, H ÷ 8, W ÷ 8, C + 1] of probabilities, the background's first",
    input: DetectorInput(normalization: .fractions), labels: .oneForEachOrBackground, threshold: 0.5,
    nearest: { signature in
      // A map of the right size whose numbers are not known to be probabilities.
      guard signature.outputs.count == 1, let output = signature.outputs.first, output.shape.count == 4,
        output.shape[0] == 1, FOMODecoder.stride(of: output, signature) == 8, output.shape[3] > 1
      else { return nil }
      return NearestFamily(
        .fomo, "the graph does not end with a softmax, so that \(output) may be anything",
        remedy:
          "Name the family (\(option: "family", "fomo")) if it is one; masks and other maps are not read")
    },
    recognize: { model, isAsked in FOMODecoder(recognizing: model, isAsked: isAsked) })
}
