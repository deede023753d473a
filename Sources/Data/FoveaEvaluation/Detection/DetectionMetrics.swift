// SPDX-License-Identifier: Apache-2.0

/// COCO's figures, twelve of boxes and masks, ten of keypoints, each 0…1, or nil if undefined, for which
/// pycocotools prints −1.
///
/// Nil means that the ground truth has no object of that size, or that the threshold was not requested.
///
/// **Source:** cocodataset.org, "Detection evaluation", metrics; `COCOeval.summarize`, pycocotools 2.0.11.
public struct DetectionMetrics: Sendable, Hashable {
  /// Average precision, the mean over all thresholds.
  public let averagePrecision: Double?
  /// Average precision at an overlap of 0.5.
  public let averagePrecision50: Double?
  /// Average precision at an overlap of 0.75.
  public let averagePrecision75: Double?
  /// Average precision for objects of up to 32² pixels.
  public let averagePrecisionSmall: Double?
  /// Average precision for objects of 32² to 96² pixels.
  public let averagePrecisionMedium: Double?
  /// Average precision for objects of 96² pixels and more.
  public let averagePrecisionLarge: Double?
  /// Average recall with the best detection of each image and category.
  public let averageRecall1: Double?
  /// Average recall with the 10 best detections of each image and category.
  public let averageRecall10: Double?
  /// Average recall with the 100 best detections of each image and category; the 20 best for keypoints.
  public let averageRecall100: Double?
  /// Average recall at an overlap of 0.5.
  public let averageRecall50: Double?
  /// Average recall at an overlap of 0.75.
  public let averageRecall75: Double?
  /// Average recall for objects of up to 32² pixels.
  public let averageRecallSmall: Double?
  /// Average recall for objects of 32² to 96² pixels.
  public let averageRecallMedium: Double?
  /// Average recall for objects of 96² pixels and more.
  public let averageRecallLarge: Double?

  /// The shapes that were compared.
  let shape: DetectionEvaluator.Shape

  /// The figures in COCO's order, with their usual names: AP, AP50, … ARlarge.
  package var named: [(name: String, value: Double?)] {
    guard shape != .keypoints else {
      return [
        ("AP", averagePrecision), ("AP50", averagePrecision50), ("AP75", averagePrecision75),
        ("APmedium", averagePrecisionMedium), ("APlarge", averagePrecisionLarge), ("AR", averageRecall100),
        ("AR50", averageRecall50), ("AR75", averageRecall75), ("ARmedium", averageRecallMedium),
        ("ARlarge", averageRecallLarge),
      ]
    }
    return [
      ("AP", averagePrecision), ("AP50", averagePrecision50), ("AP75", averagePrecision75),
      ("APsmall", averagePrecisionSmall), ("APmedium", averagePrecisionMedium),
      ("APlarge", averagePrecisionLarge), ("AR1", averageRecall1), ("AR10", averageRecall10),
      ("AR100", averageRecall100), ("ARsmall", averageRecallSmall), ("ARmedium", averageRecallMedium),
      ("ARlarge", averageRecallLarge),
    ]
  }

  init(_ tallies: [KindTally], _ options: DetectionEvaluator.Options) {
    shape = options.shape
    let thresholds = options.iouThresholds
    func mean(_ values: (KindTally) -> [Double]?) -> Double? {
      var sum = 0.0
      var count = 0
      for tally in tallies {
        guard let values = values(tally) else { continue }
        sum += values.reduce(0, +)
        count += values.count
      }
      return count > 0 ? sum / Double(count) : nil
    }
    func value(at threshold: Double, _ values: (KindTally) -> [Double]?) -> Double? {
      guard let index = thresholds.firstIndex(of: threshold) else { return nil }
      return mean { values($0).map { [$0[index]] } }
    }
    func precision(_ tally: KindTally) -> [Double]? { tally.precision[AreaRange.all.rawValue] }
    func recall(_ tally: KindTally) -> [Double]? { tally.recall[AreaRange.all.rawValue] }
    averagePrecision = mean(precision)
    averagePrecision50 = value(at: 0.5, precision)
    averagePrecision75 = value(at: 0.75, precision)
    averagePrecisionSmall = mean { $0.precision[AreaRange.small.rawValue] }
    averagePrecisionMedium = mean { $0.precision[AreaRange.medium.rawValue] }
    averagePrecisionLarge = mean { $0.precision[AreaRange.large.rawValue] }
    averageRecall1 = mean { $0.recallOfBest }
    averageRecall10 = mean { $0.recallOfTen }
    averageRecall100 = mean(recall)
    averageRecall50 = value(at: 0.5, recall)
    averageRecall75 = value(at: 0.75, recall)
    averageRecallSmall = mean { $0.recall[AreaRange.small.rawValue] }
    averageRecallMedium = mean { $0.recall[AreaRange.medium.rawValue] }
    averageRecallLarge = mean { $0.recall[AreaRange.large.rawValue] }
  }
}

/// The ranges of sizes for which figures are computed, borders included.
enum AreaRange: Int, CaseIterable {
  case all, small, medium, large

  static let count = 4

  /// Returns one bit for each range that does not include an area in square pixels: up to 1e10, 32², 32² to
  /// 96², from 96².
  static func outside(_ area: Double) -> UInt8 {
    var bits: UInt8 = 0
    if area > 1e10 { bits |= 0b1001 }
    if area > 1_024 { bits |= 0b0010 }
    if area < 1_024 || area > 9_216 { bits |= 0b0100 }
    if area < 9_216 { bits |= 0b1000 }
    return bits
  }
}
