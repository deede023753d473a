// SPDX-License-Identifier: Apache-2.0

package import FoveaCore
public import FoveaGeometry

/// Detections prepared for an evaluation: 48 bytes each without masks, with images and categories already
/// resolved.
public struct COCODetections: Sendable {
  /// The handling of detections whose image or category is not in the ground truth.
  public enum UnknownIDs: Sendable, Hashable {
    /// The evaluation fails with the first ids in the message: they usually mean the wrong file, or ids that
    /// are off by one.
    case refuse
    /// Such detections are left out and counted.
    ///
    /// pycocotools silently ignores unknown categories and fails on unknown images.
    case leaveOut
  }

  /// The number of detections, without those left out.
  public var count: Int { scores.count }
  /// The number of detections on images that the ground truth does not list.
  public package(set) var unknownImages = 0
  /// The number of detections on listed images but of categories that the ground truth does not list.
  public package(set) var unknownCategories = 0
  /// The number of failed images in Fovea's own results.
  public package(set) var failedImages = 0
  /// The images matched by file name only, in folders with other names, as indices into the ground truth.
  package var imagesByName: Set<Int> = []
  /// The rotated images compared in stored pixels although the ground truth may have them upright, as
  /// indices into it.
  package var ambiguousImages: Set<Int> = []

  /// Whether Fovea's own results may have labels that are not categories; false by default.
  ///
  /// Set it for a class-agnostic evaluation of a detector with other labels, or none. It does not affect COCO
  /// results.
  package var takesAnyLabel = false
  /// True to read masks from files; false by default, because masks are most of a file.
  public var readsMasks = false

  package let groundTruth: COCOGroundTruth
  private(set) var imageIndexes: [Int32] = []
  private(set) var categoryIndexes: [Int32] = []
  private(set) var boxes: [COCOBox] = []
  private(set) var scores: [Double] = []
  /// The masks of the detections that have one, by row.
  private var masks: [Int: RunLengths] = [:]
  /// The keypoints of the detections that have them, by row.
  private(set) var keypoints: [Int: [PixelPoint]] = [:]
  /// The areas of the masks of detections that came without a box, by row.
  private var maskAreas: [Int: Double] = [:]
  /// The number of images of the ground truth that have no detection.
  package var emptyImages: Int { groundTruth.images.count - Set(imageIndexes).count }
  /// The number of detections without a mask.
  package var withoutMask: Int { count - masks.count }
  /// The number of detections without keypoints.
  package var withoutKeypoints: Int { count - keypoints.count }
  /// The first unknown ids or names, for messages.
  var unknownImageSamples: [String] = []
  var unknownCategorySamples: [String] = []

  /// Creates an empty list of detections on the images of `groundTruth`.
  public init(groundTruth: COCOGroundTruth) { self.groundTruth = groundTruth }

  /// Adds a detection; of equal scores, the one added first ranks higher.
  /// - Throws: `EvaluationError` `invalidDetections` for a negative size or a number that is not finite.
  public mutating func append(_ detection: COCODetection) throws(EvaluationError) {
    if let problem = detection.box.problem ?? COCODetections.problem(score: detection.score) {
      throw EvaluationError(
        .invalidDetections, "Detection \(count + unknownImages + unknownCategories + 1): \(problem)",
        remedy: COCODetections.boxRemedy)
    }
    guard let image = groundTruth.imageIndexes[detection.imageID] else {
      return countUnknownImage("\(detection.imageID)")
    }
    guard let category = groundTruth.categoryIndexes[detection.categoryID] else {
      return countUnknownCategory("\(detection.categoryID)")
    }
    add(
      image: image, category: category, box: detection.box, score: detection.score, mask: detection.mask,
      keypoints: detection.keypoints)
  }

  /// Returns the area of a detection in square pixels: of its box, or of its mask if it came without a box.
  func area(_ row: Int) -> Double {
    guard !maskAreas.isEmpty, let area = maskAreas[row] else { return boxes[row].area }
    return area
  }

  /// Returns the mask of a detection, or its box as a mask in an image of a size.
  func mask(_ row: Int, in size: PixelSize?) -> RunLengths? {
    if let mask = masks[row] { return mask }
    guard let size else { return nil }
    // An edge farther outside makes no difference, and a polygon must be near the image.
    func clamp(_ edge: Double, _ length: Int) -> Double { min(max(edge, -1), Double(length) + 1) }
    let box = boxes[row]
    let (left, right) = (clamp(box.x, size.width), clamp(box.x + box.width, size.width))
    let (top, bottom) = (clamp(box.y, size.height), clamp(box.y + box.height, size.height))
    let corners = [(left, top), (left, bottom), (right, bottom), (right, top)]
      .map { PixelPoint(x: $0, y: $1) }
    return try? RunLengths(polygons: [corners], size: size)
  }

  package static let boxRemedy: Advice =
    "Boxes are [x, y, width, height] in pixels; correct the tool that wrote the detections"

  package static func problem(score: Double) -> String? {
    score.isFinite ? nil : "its score is \(score), not a finite number"
  }

  package mutating func add(
    image: Int, category: Int, box: COCOBox, score: Double, mask: RunLengths? = nil, maskArea: Double? = nil,
    keypoints: [PixelPoint] = []
  ) {
    if !keypoints.isEmpty { self.keypoints[scores.count] = keypoints }
    if let mask { masks[scores.count] = mask }
    if let maskArea { maskAreas[scores.count] = maskArea }
    imageIndexes.append(Int32(truncatingIfNeeded: image))
    categoryIndexes.append(Int32(truncatingIfNeeded: category))
    boxes.append(box)
    scores.append(score)
  }

  /// Converts the boxes, the keypoints and the masks of some detections.
  package mutating func convert<Problem: Error>(
    _ range: Range<Int>, box: (COCOBox) -> COCOBox, point: (PixelPoint) -> PixelPoint,
    mask: (RunLengths) throws(Problem) -> RunLengths
  ) throws(Problem) {
    for place in range {
      boxes[place] = box(boxes[place])
      keypoints[place] = keypoints[place]?.map(point)
      if let pixels = masks[place] { masks[place] = try mask(pixels) }
    }
  }

  /// Removes detections and counts them as on images that the ground truth does not list.
  /// - Parameter others: Their ranges, in rising order, with the names of their images.
  package mutating func takeOut(_ others: [(range: Range<Int>, image: String)]) {
    guard !others.isEmpty else { return }
    var isKept = [Bool](repeating: true, count: count)
    for (range, image) in others {
      for place in range {
        isKept[place] = false
        countUnknownImage("'\(image)'")
      }
    }
    if !masks.isEmpty || !maskAreas.isEmpty || !keypoints.isEmpty {
      // The new row of each detection that stays.
      let kept = isKept.indices.filter { isKept[$0] }
      let rows = Dictionary(uniqueKeysWithValues: zip(kept, kept.indices))
      func moved<Value>(_ values: [Int: Value]) -> [Int: Value] {
        Dictionary(uniqueKeysWithValues: values.compactMap { old, value in rows[old].map { ($0, value) } })
      }
      (masks, maskAreas, keypoints) = (moved(masks), moved(maskAreas), moved(keypoints))
    }
    imageIndexes = zip(imageIndexes, isKept).filter { $0.1 }.map { $0.0 }
    categoryIndexes = zip(categoryIndexes, isKept).filter { $0.1 }.map { $0.0 }
    boxes = zip(boxes, isKept).filter { $0.1 }.map { $0.0 }
    scores = zip(scores, isKept).filter { $0.1 }.map { $0.0 }
  }

  package mutating func countUnknownImage(_ name: @autoclosure () -> String) {
    unknownImages += 1
    COCODetections.sample(name, into: &unknownImageSamples)
  }

  package mutating func countUnknownCategory(_ name: @autoclosure () -> String) {
    unknownCategories += 1
    COCODetections.sample(name, into: &unknownCategorySamples)
  }

  private static func sample(_ name: () -> String, into samples: inout [String]) {
    guard samples.count < 5 else { return }
    let name = name()
    if !samples.contains(name) { samples.append(name) }
  }
}

extension COCODetections {
  /// Throws if the mask of a detection is of an image of another size than the ground truth's.
  /// - Parameter sizes: The size of each image; nil if it is not known.
  /// - Throws: `EvaluationError` `invalidDetections`.
  func checkMasks(_ sizes: [PixelSize?]) throws(EvaluationError) {
    guard withoutMask < count else { return }
    for (row, image) in imageIndexes.enumerated() {
      guard let mask = masks[row], let size = sizes[Int(image)], mask.size != size else { continue }
      throw EvaluationError(
        .invalidDetections,
        "A detection on the image id \(groundTruth.images[Int(image)].id) has a mask of an image of "
          + "\(mask.size) pixels; the ground truth's image has \(size)",
        remedy: "Use masks in the pixels of the ground truth's image")
    }
  }

  /// Throws if detections have another number of keypoints than the objects of the ground truth.
  ///
  /// Detections without keypoints are not refused, and their similarity is 0.
  /// - Parameter expected: The number of keypoints of the ground truth.
  /// - Throws: `EvaluationError` `invalidDetections`.
  func checkKeypoints(_ expected: Int) throws(EvaluationError) {
    let others = keypoints.values.map(\.count).filter { $0 != expected }
    guard !others.isEmpty else { return }
    let numbers = Set(others).sorted().prefix(5).map { "\($0)" }
    throw EvaluationError(
      .invalidDetections,
      DecimalText.counted(others.count, "detection has", "detections have")
        + " \(COCODetections.list(numbers)) keypoints, and the ground truth's objects have \(expected)",
      remedy: "Detect with a model that finds the \(expected) keypoints of the ground truth, or compare boxes"
        + " or masks (\(flag: "iou", "Options.shape"))")
  }

  /// Throws if detections have ids that the ground truth does not list.
  func checkIDs() throws(EvaluationError) {
    guard unknownImages + unknownCategories > 0 else { return }
    var parts: [String] = []
    if unknownImages > 0 {
      parts.append(
        DecimalText.counted(unknownImages, "detection is on an image", "detections are on images")
          + " that the ground truth does not list ("
          + COCODetections.list(unknownImageSamples) + ")")
    }
    if unknownCategories > 0 {
      parts.append(
        DecimalText.counted(unknownCategories, "detection is of a category", "detections are of categories")
          + " that \(unknownImages > 0 ? "it" : "the ground truth") does not list ("
          + COCODetections.list(unknownCategorySamples) + ")")
    }
    throw EvaluationError(
      .unknownIDs, parts.joined(separator: ", and "),
      remedy: "Name the ground truth that the detections were made for, or leave out such detections "
        + "(\(flag: "ignore-unknown", "Options.unknownIDs"))")
  }

  private static func list(_ samples: [String]) -> String {
    samples.joined(separator: ", ") + (samples.count == 5 ? ", …" : "")
  }
}

/// One entry of COCO's results format: a box from a detector, and its mask and its keypoints if there are
/// any.
///
/// **Source:** cocodataset.org, "Results format": bounding boxes, segmentation and keypoints.
public struct COCODetection: Sendable, Hashable {
  /// The id of the image, as the ground truth lists it.
  public var imageID: Int
  /// The id of the category, as the ground truth lists it.
  public var categoryID: Int
  /// The box in pixels of the same image as the ground truth's boxes.
  public var box: COCOBox
  /// The detector's score: any finite number, of which only the order matters.
  public var score: Double
  /// The object's pixels; nil if only the box is known.
  public var mask: RunLengths?
  /// The object's keypoints, in pixels; empty if only the box is known.
  public var keypoints: [PixelPoint]

  /// Creates a detection.
  public init(
    imageID: Int, categoryID: Int, box: COCOBox, score: Double, mask: RunLengths? = nil,
    keypoints: [PixelPoint] = []
  ) {
    self.imageID = imageID
    self.categoryID = categoryID
    self.box = box
    self.score = score
    self.mask = mask
    self.keypoints = keypoints
  }
}
