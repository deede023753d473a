// SPDX-License-Identifier: Apache-2.0

/// The figures of one evaluation.
public struct DetectionReport: Sendable, Hashable {
  /// The result of one category.
  public struct Category: Sendable, Hashable {
    /// The category's id; nil if categories were ignored.
    public let id: Int?
    /// The category's name; "all objects" if categories were ignored.
    public let name: String
    /// The category's own figures.
    public let metrics: DetectionMetrics
    /// The number of objects in the ground truth, without crowds.
    public let groundTruth: Int
    /// The number of crowds in the ground truth.
    public let crowds: Int
    /// The number of detections, including those beyond the 100 best of an image.
    public let detections: Int
  }

  /// The figures, each the mean over the categories that have objects.
  public let metrics: DetectionMetrics
  /// The categories in rising order of their ids; one entry if categories were ignored.
  public let categories: [Category]
  /// The number of evaluated images.
  public let images: Int
  /// The number of objects in them, without crowds.
  public let groundTruth: Int
  /// The number of crowds in them.
  public let crowds: Int
  /// The number of evaluated detections.
  public let detections: Int
  /// The number of detections left out because their image or category is not in the ground truth.
  public let leftOut: Int
  /// The options of the evaluation.
  public let options: DetectionEvaluator.Options

  init(
    groundTruth: COCOGroundTruth, detections: COCODetections, options: DetectionEvaluator.Options,
    tallies: [KindTally]
  ) {
    metrics = DetectionMetrics(tallies, options)
    categories = tallies.enumerated().map { index, tally in
      let category = options.isClassAgnostic ? nil : groundTruth.categories[index]
      return Category(
        id: category?.id, name: category?.name ?? "all objects",
        metrics: DetectionMetrics([tally], options), groundTruth: tally.objects,
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
