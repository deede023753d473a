// SPDX-License-Identifier: Apache-2.0

extension TrainingPage {
  /// A model that was tried as what the classes stand on.
  package struct Backbone: Sendable, Hashable {
    package var name: String
    /// The share of right answers in the trial, out of fold.
    package var accuracy: Double?
    /// The standard error of the accuracy.
    package var standardError: Double?
    /// How many numbers it makes of a photo.
    package var numbers: Int?
    /// The size of its graph up to the embedding, which stands for its time.
    package var byteCount: Int?
    /// Whether the model stands on it.
    package var isChosen: Bool
    /// Why it was not tried, or what else is to know; empty for nothing.
    package var note: String

    /// Makes a backbone.
    package init(
      name: String, accuracy: Double? = nil, standardError: Double? = nil, numbers: Int? = nil,
      byteCount: Int? = nil, isChosen: Bool = false, note: String = ""
    ) {
      self.name = name
      self.accuracy = accuracy
      self.standardError = standardError
      self.numbers = numbers
      self.byteCount = byteCount
      self.isChosen = isChosen
      self.note = note
    }
  }
}
