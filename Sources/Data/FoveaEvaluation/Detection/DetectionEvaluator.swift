// SPDX-License-Identifier: Apache-2.0

/// Computes COCO's detection figures: average precision and average recall over overlap thresholds and sizes.
///
/// The figures are those of pycocotools 2.0.11 (`COCOeval` with `iouType` "bbox"). That includes what is odd there:
///
/// - An annotation with the id 0 is never counted as found: the detection that matches it counts as wrong. Number
///   annotations from 1.
/// - Annotations that share an id all become the last of them, each with its image and category.
/// - The field `ignore` of an annotation has no effect, `iscrowd` replaces it.
/// - The borders of the size ranges belong to both sides: an area of exactly 32² is small and medium.
/// - Per image and category the 100 best detections count; without categories, per image.
///
/// **Source:** `cocoeval.py` and `coco.py` of pycocotools 2.0.11; cocodataset.org, "Detection evaluation".
public struct DetectionEvaluator: Sendable {
  /// How to evaluate.
  public struct Options: Sendable, Hashable {
    /// The overlaps from which on a detection counts as right, rising, each above 0 and at most 1.
    ///
    /// COCO's ten by default, 0.5 to 0.95 in steps of 0.05. Higher ones ask for tighter boxes. AP50 and AP75 exist
    /// where 0.5 and 0.75 are in the list. At most 32.
    public var iouThresholds = DetectionEvaluator.cocoThresholds
    /// Whether categories are left aside and all objects are of one kind, as for a detector that only proposes
    /// boxes; false by default.
    public var isClassAgnostic = false
    /// What is done with detections on images or of categories that the ground truth does not list.
    public var unknownIDs = COCODetections.UnknownIDs.refuse

    /// Options with COCO's own values.
    public init() {}
  }

  /// The options.
  public let options: Options
  private let groundTruth: COCOGroundTruth

  /// 0.5, 0.55, … 0.95, to the last bit as NumPy's `linspace` makes them for pycocotools.
  public static let cocoThresholds: [Double] = {
    let step = (0.95 - 0.5) / 9
    var thresholds = (0..<9).map { Double($0) * step + 0.5 }
    thresholds.append(0.95)
    return thresholds
  }()

  /// Makes an evaluator.
  /// - Throws: `EvaluationError` `optionInvalid` for thresholds that are out of their range.
  public init(groundTruth: COCOGroundTruth, options: Options = Options()) throws(EvaluationError) {
    let thresholds = options.iouThresholds
    let isRising = zip(thresholds, thresholds.dropFirst()).allSatisfy { $0 < $1 }
    guard (1...32).contains(thresholds.count), isRising, thresholds.allSatisfy({ $0 > 0 && $0 <= 1 }) else {
      throw EvaluationError(
        .optionInvalid,
        "iouThresholds is \(thresholds); 1 to 32 rising numbers above 0 and up to 1 are needed",
        remedy: "Give overlaps such as 0.5, 0.75")
    }
    self.groundTruth = groundTruth
    self.options = options
  }

  /// Evaluates detections.
  ///
  /// - Complexity: O(*n* log *n*) for *n* detections, besides the overlaps within each image and category.
  /// - Parameter detections: Detections on the same ground truth; none is a result too, with figures of 0.
  /// - Returns: The figures, of all categories and of each.
  /// - Throws: `EvaluationError` `unknownIDs` where detections have unknown ids and the options refuse them.
  public func evaluate(_ detections: COCODetections) throws(EvaluationError) -> DetectionReport {
    if options.unknownIDs == .refuse { try detections.checkIDs() }
    let kinds = options.isClassAgnostic ? 1 : groundTruth.categories.count
    let truths = GroundTruthTable(groundTruth, isClassAgnostic: options.isClassAgnostic)
    let found = GroupedOrder(
      images: detections.imageIndexes, categories: detections.categoryIndexes, of: groundTruth,
      isClassAgnostic: options.isClassAgnostic)
    var matcher = ImageMatcher(thresholds: options.iouThresholds)
    var curve = PrecisionCurve(thresholds: options.iouThresholds.count)
    var tallies: [KindTally] = []
    tallies.reserveCapacity(kinds)
    var truth = truths.groups.makeCursor()
    var detected = found.makeCursor()
    for kind in 0..<kinds {
      matcher.begin()
      for image in 0..<groundTruth.images.count {
        let key = kind * groundTruth.images.count + image
        let truthRange = truth.take(key)
        let detectionRange = detected.take(key)
        if truthRange.isEmpty && detectionRange.isEmpty { continue }
        matcher.match(
          detections, found.order[detectionRange], with: truths.rows, truths.groups.order[truthRange])
      }
      tallies.append(curve.tally(matcher))
    }
    return DetectionReport(
      groundTruth: groundTruth, detections: detections, options: options, tallies: tallies)
  }
}
