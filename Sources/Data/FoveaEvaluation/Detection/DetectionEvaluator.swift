// SPDX-License-Identifier: Apache-2.0

/// Computes COCO's detection figures: average precision and average recall over overlap thresholds and sizes.
///
/// The figures are those of pycocotools 2.0.11 (`COCOeval` with `iouType` "bbox", "segm" or "keypoints"),
/// including its peculiarities:
///
/// - An annotation with the id 0 is never counted as found: the detection that matches it counts as wrong.
///   Number annotations from 1.
/// - Annotations that share an id all become the last of them, each with its image and category.
/// - The field `ignore` of an annotation has no effect; `iscrowd` replaces it.
/// - The borders of the size ranges belong to both sides: an area of exactly 32² is small and medium.
/// - The 100 best detections per image and category count, 20 if keypoints are compared; without categories,
///   per image.
/// - If masks are compared, a detection with both a box and a mask counts as small, medium or large by its
///   box, and the box of a detection without a mask is its mask.
/// - A result with only a mask counts by the area of its mask, also if boxes are compared.
///
/// **Source:** `cocoeval.py` and `coco.py` of pycocotools 2.0.11; cocodataset.org, "Detection evaluation".
public struct DetectionEvaluator: Sendable {
  /// The shapes whose overlap, or similarity, is measured.
  public enum Shape: String, Sendable, Hashable, CaseIterable {
    /// Boxes.
    case boxes
    /// Masks; each object of the ground truth needs one.
    case masks
    /// COCO's 17 keypoints of people, by their similarity (OKS); objects without a labelled point do not
    /// count.
    case keypoints
  }

  /// The options of an evaluation.
  public struct Options: Sendable, Hashable {
    /// The overlaps from which a detection counts as right, rising, each above 0 and at most 1; at most 32.
    ///
    /// COCO's ten by default, 0.5 to 0.95 in steps of 0.05. Higher ones require tighter boxes. AP50 and AP75
    /// exist if 0.5 and 0.75 are in the list.
    public var iouThresholds = DetectionEvaluator.cocoThresholds
    /// Whether categories are ignored and all objects are of one kind, as for a detector that only proposes
    /// boxes; false by default.
    public var isClassAgnostic = false
    /// The handling of detections on images or of categories that the ground truth does not list.
    public var unknownIDs = COCODetections.UnknownIDs.refuse
    /// The shapes whose overlap is measured; boxes by default.
    public var shape = Shape.boxes

    /// Creates options with COCO's values.
    public init() {}
  }

  /// The options.
  package let options: Options
  private let groundTruth: COCOGroundTruth

  /// 0.5, 0.55, … 0.95, identical to the last bit to NumPy's `linspace` in pycocotools.
  public static let cocoThresholds: [Double] = {
    let step = (0.95 - 0.5) / 9
    var thresholds = (0..<9).map { Double($0) * step + 0.5 }
    thresholds.append(0.95)
    return thresholds
  }()

  /// Creates an evaluator.
  /// - Throws: `EvaluationError` `optionInvalid` if thresholds are out of range.
  public init(groundTruth: COCOGroundTruth, options: Options = Options()) throws(EvaluationError) {
    let thresholds = options.iouThresholds
    let isRising = zip(thresholds, thresholds.dropFirst()).allSatisfy { $0 < $1 }
    guard (1...32).contains(thresholds.count), isRising, thresholds.allSatisfy({ $0 > 0 && $0 <= 1 }) else {
      throw EvaluationError(
        .optionInvalid,
        "iouThresholds is \(thresholds); it must be 1 to 32 rising numbers above 0 and at most 1",
        remedy: "Use overlaps such as 0.5, 0.75")
    }
    self.groundTruth = groundTruth
    self.options = options
  }

  /// Evaluates detections.
  ///
  /// - Complexity: O(*n* log *n*) for *n* detections, plus the overlaps within each image and category.
  /// - Parameter detections: Detections on the same ground truth; an empty list leads to figures of 0.
  /// - Returns: The figures over all categories and for each.
  /// - Throws: `EvaluationError` `unknownIDs` if detections have unknown ids and the options refuse them;
  ///   `invalidGroundTruth` or `invalidDetections` if masks are compared and an object has none, or one is of
  ///   an image of another size; `invalidGroundTruth` if keypoints are compared and there are none, and
  ///   `invalidDetections` if detections have another number of them.
  public func evaluate(_ detections: COCODetections) throws(EvaluationError) -> DetectionReport {
    if options.unknownIDs == .refuse { try detections.checkIDs() }
    if options.shape == .masks { try detections.checkMasks(groundTruth.maskSizes()) }
    let similarity = options.shape == .keypoints ? try groundTruth.keypointSimilarity() : nil
    if let similarity { try detections.checkKeypoints(similarity.count) }
    let kinds = options.isClassAgnostic ? 1 : groundTruth.categories.count
    let truths = GroundTruthTable(
      groundTruth, isClassAgnostic: options.isClassAgnostic, shape: options.shape)
    let found = GroupedOrder(
      images: detections.imageIndexes, categories: detections.categoryIndexes, of: groundTruth,
      isClassAgnostic: options.isClassAgnostic)
    var matcher = ImageMatcher(thresholds: options.iouThresholds, similarity: similarity)
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
          detections, found.order[detectionRange], with: truths, truths.groups.order[truthRange])
      }
      tallies.append(curve.tally(matcher))
    }
    return DetectionReport(
      groundTruth: groundTruth, detections: detections, options: options, tallies: tallies)
  }
}
