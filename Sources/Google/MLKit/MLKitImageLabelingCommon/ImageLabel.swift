// SPDX-License-Identifier: Apache-2.0

public import Foundation
package import FoveaCompatibility

// SAFETY: every property is a constant value.
/// A label of an image, with its confidence.
public final class ImageLabel: NSObject, @unchecked Sendable {
  /// The class's name; empty if the model does not name it.
  public let text: String
  /// The position of the class in the model's output.
  public let index: Int
  /// The confidence, 0…1.
  public let confidence: Float

  /// Creates a label from a result of the engine.
  package init(_ label: FoundLabel) {
    text = label.text
    index = label.index
    confidence = label.confidence
  }

  /// The label in one line.
  public override var description: String { "\(text.isEmpty ? "class \(index)" : text) \(confidence)" }
}
