// SPDX-License-Identifier: Apache-2.0

import FoveaDecoding

/// A class with how sure the model is.
package struct FoundLabel: Sendable, Hashable {
  /// The class's name; empty where the model names none.
  package var text: String
  /// The number of the class.
  package var index: Int
  /// How sure the model is, 0…1.
  package var confidence: Float

  /// Takes a label.
  init(_ label: Label) {
    text = label.text ?? ""
    index = label.index
    confidence = label.confidence
  }
}
