// SPDX-License-Identifier: Apache-2.0

import FoveaDecoding

/// A class with its confidence.
package struct FoundLabel: Sendable, Hashable {
  /// The class's name; empty if the model does not name it.
  package var text: String
  /// The number of the class.
  package var index: Int
  /// The confidence, 0…1.
  package var confidence: Float

  /// Creates a label from Fovea's.
  init(_ label: Label) {
    text = label.text ?? ""
    index = label.index
    confidence = label.confidence
  }
}
