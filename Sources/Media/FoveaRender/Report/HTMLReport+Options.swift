// SPDX-License-Identifier: Apache-2.0

extension HTMLReport {
  /// The heading of a page, and the limits of its size.
  public struct Options: Sendable, Hashable {
    /// The heading, "Fovea report" by default.
    public var title = "Fovea report"
    /// Further facts for the reader, such as the model, the threshold and the date.
    public var facts: [Fact] = []
    /// The maximum number of thumbnails, for the first images; 1,000 by default, about 20 MB.
    ///
    /// A higher limit makes a larger page; other images show their boxes, without masks, keypoints and maps,
    /// on an empty frame.
    public var thumbnailLimit = 1_000
    /// The maximum number of cards, for the first images; 20,000 by default, which browsers still scroll.
    ///
    /// Totals and failures include the other images too.
    public var imageLimit = 20_000
    /// The least score of a keypoint that is drawn, 0…1; 0.3 by default.
    ///
    /// Points without scores are drawn.
    public var keypointThreshold: Float = 0.3

    /// Creates the default options.
    public init() {}
  }

  /// One line of the list at the top of the page.
  public struct Fact: Sendable, Hashable {
    /// The name, such as "Model".
    public var name: String
    /// The value; any text, which is escaped.
    public var value: String

    /// Creates a fact.
    public init(name: String, value: String) {
      self.name = name
      self.value = value
    }
  }
}
