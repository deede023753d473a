// SPDX-License-Identifier: Apache-2.0

package import FoveaCore

/// Detections in the form that an evaluation works on: 48 bytes each, images and categories looked up already.
public struct COCODetections: Sendable {
  /// What is done with a detection whose image or category the ground truth does not list.
  public enum UnknownIDs: Sendable, Hashable {
    /// The evaluation is refused, with the first ids in the message: they mostly mean the wrong file, or ids that
    /// are off by one.
    case refuse
    /// Such detections are left out and counted.
    ///
    /// pycocotools leaves unknown categories out silently and stops at unknown images.
    case leaveOut
  }

  /// How many detections there are, without those left out.
  public var count: Int { scores.count }
  /// How many detections belong to images that the ground truth does not list.
  public package(set) var unknownImages = 0
  /// How many detections belong to listed images and to categories that the ground truth does not list.
  public package(set) var unknownCategories = 0
  /// How many records of Fovea's own results say that their image failed.
  public package(set) var failedImages = 0
  /// The images that were found by their file names alone, in folders of other names, by their places in the ground truth.
  package var imagesByName: Set<Int> = []

  /// Whether Fovea's own results may have labels that are no category; false by default.
  ///
  /// Set it for a class-agnostic evaluation of a detector that has other labels, or none. COCO results are read the
  /// same way in both cases.
  public var takesAnyLabel = false

  package let groundTruth: COCOGroundTruth
  private(set) var imageIndexes: [Int32] = []
  private(set) var categoryIndexes: [Int32] = []
  private(set) var boxes: [COCOBox] = []
  private(set) var scores: [Double] = []
  /// The first unknown ids or names, for messages.
  var unknownImageSamples: [String] = []
  var unknownCategorySamples: [String] = []

  /// Starts an empty list of detections on the images of `groundTruth`.
  public init(groundTruth: COCOGroundTruth) { self.groundTruth = groundTruth }

  /// Adds a detection; the order decides between equal scores.
  /// - Throws: `EvaluationError` `invalidDetections` where the box has a negative size, or a number is not finite.
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
    add(image: image, category: category, box: detection.box, score: detection.score)
  }

  package static let boxRemedy: Advice =
    "Boxes are [x, y, width, height] in pixels; correct the tool that wrote the detections"

  package static func problem(score: Double) -> String? {
    score.isFinite ? nil : "its score is \(score), not a finite number"
  }

  package mutating func add(image: Int, category: Int, box: COCOBox, score: Double) {
    imageIndexes.append(Int32(truncatingIfNeeded: image))
    categoryIndexes.append(Int32(truncatingIfNeeded: category))
    boxes.append(box)
    scores.append(score)
  }

  /// Takes detections out again, as those on images that the ground truth does not list.
  /// - Parameter others: Where they are, in rising order, and what their images are called.
  package mutating func takeOut(_ others: [(range: Range<Int>, image: String)]) {
    guard !others.isEmpty else { return }
    var isKept = [Bool](repeating: true, count: count)
    for (range, image) in others {
      for place in range {
        isKept[place] = false
        countUnknownImage("'\(image)'")
      }
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
  /// Refuses detections that the ground truth cannot judge.
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
      remedy: "Name the ground truth that the detections were made for, or leave such detections out "
        + "(\(flag: "ignore-unknown", "Options.unknownIDs"))")
  }

  private static func list(_ samples: [String]) -> String {
    samples.joined(separator: ", ") + (samples.count == 5 ? ", …" : "")
  }
}

/// One entry of COCO's results format: a box that a detector found.
///
/// **Source:** cocodataset.org, "Results format", bounding boxes.
public struct COCODetection: Sendable, Hashable {
  /// The id of the image, as the ground truth lists it.
  public var imageID: Int
  /// The id of the category, as the ground truth lists it.
  public var categoryID: Int
  /// The box in pixels of the image that the ground truth's boxes are in.
  public var box: COCOBox
  /// How sure the detector is; any finite number, only the order counts.
  public var score: Double

  /// Makes a detection.
  public init(imageID: Int, categoryID: Int, box: COCOBox, score: Double) {
    self.imageID = imageID
    self.categoryID = categoryID
    self.box = box
    self.score = score
  }
}
