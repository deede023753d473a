// SPDX-License-Identifier: Apache-2.0

extension ObjectDetector {
  /// The results to report for one image, instead of the detector's own options.
  ///
  /// It affects how the model's output is filtered, not the session, so one detector can answer callers with
  /// different needs. Nil keeps the detector's option.
  public struct Selection: Sendable, Hashable {
    /// The lowest score of an object, 0…1.
    public var threshold: Float?
    /// The maximum number of objects, 1 or more.
    public var maxObjects: Int?
    /// Whether to report only the most prominent object.
    public var singleObject: Bool?
    /// The options for processing the image also in overlapping tiles.
    public var slicing: Slicing?
    /// Whether slicing is off even if the detector was created with it; `slicing` takes precedence.
    package var isUnsliced = false
    /// The lowest confidence of a classifier's label, 0…1.
    public var labelThreshold: Float?
    /// The maximum number of classifier labels per object, 1 or more.
    public var maxLabels: Int?
    /// The labels to report, like `Options.allowedLabels`; replaces both lists of the detector.
    public var allowedLabels: [String]?
    /// The labels never to report, like `Options.deniedLabels`; replaces both lists of the detector.
    public var deniedLabels: [String]?

    /// Creates a selection that keeps all of the detector's options.
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
  /// Replaces the options that a selection sets.
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
