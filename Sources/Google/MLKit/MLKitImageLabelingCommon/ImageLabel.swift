// SPDX-License-Identifier: Apache-2.0

public import Foundation
package import FoveaCompatibility

// SAFETY: every property is a constant value.
/// What an image shows, and how sure the labeler is of it.
public final class ImageLabel: NSObject, @unchecked Sendable {
  /// The class's name; empty where the model names none.
  public let text: String
  /// The position of the class in the model's output.
  public let index: Int
  /// How sure the labeler is, 0…1.
  public let confidence: Float

  /// Takes a label.
  package init(_ label: FoundLabel) {
    text = label.text
    index = label.index
    confidence = label.confidence
  }

  /// The label in one line.
  public override var description: String { "\(text.isEmpty ? "class \(index)" : text) \(confidence)" }
}
