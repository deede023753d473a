// SPDX-License-Identifier: Apache-2.0

/// The figures of one evaluation.
public struct DetectionReport: Sendable, Hashable {
  /// What one category scored.
  public struct Category: Sendable, Hashable {
    /// The category's id; nil where categories were left aside.
    public let id: Int?
    /// The category's name; "all objects" where categories were left aside.
    public let name: String
    /// The category's own twelve figures.
    public let metrics: DetectionMetrics
    /// How many objects the ground truth has, crowds not counted.
    public let groundTruth: Int
    /// How many crowds it has.
    public let crowds: Int
    /// How many detections there are, those beyond the 100 best of an image included.
    public let detections: Int
  }

  /// The twelve figures, each the mean over the categories that have objects.
  public let metrics: DetectionMetrics
  /// The categories in rising order of their ids; one entry where categories were left aside.
  public let categories: [Category]
  /// How many images were evaluated.
  public let images: Int
  /// How many objects they have, crowds not counted.
  public let groundTruth: Int
  /// How many crowds they have.
  public let crowds: Int
  /// How many detections were judged.
  public let detections: Int
  /// How many detections were left out because their image or their category is not in the ground truth.
  public let leftOut: Int
  /// The options that were used.
  public let options: DetectionEvaluator.Options

  init(
    groundTruth: COCOGroundTruth, detections: COCODetections, options: DetectionEvaluator.Options,
    tallies: [KindTally]
  ) {
    let thresholds = options.iouThresholds
    metrics = DetectionMetrics(tallies, thresholds: thresholds)
    categories = tallies.enumerated().map { index, tally in
      let category = options.isClassAgnostic ? nil : groundTruth.categories[index]
      return Category(
        id: category?.id, name: category?.name ?? "all objects",
        metrics: DetectionMetrics([tally], thresholds: thresholds), groundTruth: tally.objects,
        crowds: tally.crowds, detections: tally.detections)
    }
    images = groundTruth.images.count
    self.groundTruth = tallies.reduce(0) { $0 + $1.objects }
    crowds = tallies.reduce(0) { $0 + $1.crowds }
    self.detections = detections.count
    leftOut = detections.unknownImages + detections.unknownCategories
    self.options = options
  }
}
