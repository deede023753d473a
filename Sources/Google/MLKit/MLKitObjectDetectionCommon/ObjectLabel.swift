// SPDX-License-Identifier: Apache-2.0

public import Foundation
package import FoveaCompatibility

// SAFETY: every property is a constant value.
/// A label of an object, with its confidence.
public final class ObjectLabel: NSObject, @unchecked Sendable {
  /// The class's name; empty if the model does not name it.
  public let text: String
  /// The number of the class: for the coarse categories `DetectedObjectLabelIndex`, for a custom model the
  /// position in its output.
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
