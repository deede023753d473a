// SPDX-License-Identifier: Apache-2.0

extension HTMLReport {
  /// What a page says at its top, and how large it may become.
  public struct Options: Sendable, Hashable {
    /// The heading, "Fovea report" by default.
    public var title = "Fovea report"
    /// What else the reader should know: the model, the threshold, the date.
    public var facts: [Fact] = []
    /// The most images that are shown with a thumbnail, the first ones; 1,000 by default, about 20 MB.
    ///
    /// Raising it makes a larger page; the others show their boxes on an empty frame.
    public var thumbnailLimit = 1_000
    /// The most images that have a card, the first ones; 20,000 by default, which browsers still scroll.
    ///
    /// Those beyond are part of all totals, and failures are listed.
    public var pictureLimit = 20_000

    /// The defaults.
    public init() {}
  }

  /// One line of the list at a page's top.
  public struct Fact: Sendable, Hashable {
    /// What it is about, as "Model".
    public var name: String
    /// The value, any text, it is escaped.
    public var value: String

    /// Makes a fact.
    public init(name: String, value: String) {
      self.name = name
      self.value = value
    }
  }
}
