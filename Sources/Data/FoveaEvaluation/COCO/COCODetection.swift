// SPDX-License-Identifier: Apache-2.0

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
