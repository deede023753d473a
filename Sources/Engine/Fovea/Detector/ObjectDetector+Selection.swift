// SPDX-License-Identifier: Apache-2.0

extension ObjectDetector {
  /// What to report of one image, in place of the detector's own options.
  ///
  /// It changes what is made of the model's output, not the session, so that one detector can answer callers who want
  /// different things. Nil keeps what the detector was made with.
  public struct Selection: Sendable, Hashable {
    /// The lowest score of an object, 0…1.
    public var threshold: Float?
    /// The most objects, 1 or more.
    public var maxObjects: Int?
    /// Whether to report only the most prominent object.
    public var singleObject: Bool?
    /// Whether and how to process the image in overlapping tiles as well.
    public var slicing: Slicing?
    /// Whether no tiles are asked for, also if the detector was made with some; `slicing` goes first.
    package var isUnsliced = false
    /// The lowest confidence of a classifier's label, 0…1.
    public var labelThreshold: Float?
    /// The most labels that the classifier gives an object, 1 or more.
    public var maxLabels: Int?
    /// The labels to report, as `Options.allowedLabels`; it replaces both lists of the detector.
    public var allowedLabels: [String]?
    /// The labels never to report, as `Options.deniedLabels`; it replaces both lists of the detector.
    public var deniedLabels: [String]?

    /// Nothing but what the detector was made with.
    public init() {}

    /// Throws for values out of range.
    package func check() throws(FoveaError) {
      var options = Options()
      options.apply(self)
      try options.check()
    }
  }
}

extension ObjectDetector.Options {
  /// Puts what a selection has in place of these.
  mutating func apply(_ selection: ObjectDetector.Selection) {
    threshold = selection.threshold ?? threshold
    maxObjects = selection.maxObjects ?? maxObjects
    singleObject = selection.singleObject ?? singleObject
    slicing = selection.slicing ?? (selection.isUnsliced ? nil : slicing)
    labelThreshold = selection.labelThreshold ?? labelThreshold
    maxLabels = selection.maxLabels ?? maxLabels
    needsMaxLabels = selection.maxLabels != nil
    allowedLabels = selection.allowedLabels ?? allowedLabels
    deniedLabels = selection.deniedLabels ?? deniedLabels
  }
}
