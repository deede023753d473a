// SPDX-License-Identifier: Apache-2.0

/// One answer of a classifier: a class, its name where the model has one, and how sure the model is.
public struct Label: Sendable, Hashable {
  /// The class's name, in the locale asked for; nil where neither model nor options name the class.
  public var text: String?
  /// The position of the class in the model's output, from 0.
  public var index: Int
  /// How sure the model is, 0…1.
  public var confidence: Float

  /// Makes a label.
  public init(text: String?, index: Int, confidence: Float) {
    self.text = text
    self.index = index
    self.confidence = confidence
  }
}
