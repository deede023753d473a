// SPDX-License-Identifier: Apache-2.0

/// How a detector's boxes with learned names answer images that were not learned from, and where they fail; of shares, 1 is
/// all.
///
/// A box meets an object from an IoU of 0.5 on.
public struct ObjectFigures: Sendable, Equatable {
  /// The images that were judged.
  public var imageCount: Int
  /// The objects in them, crowds not counted.
  public var objectCount: Int
  /// The boxes that the detector has found, of any score.
  public var boxCount: Int
  /// The share of objects that a box of the detector meets, each box one object at most: no name makes up for the others.
  public var boxRecall: Double
  /// Of the boxes that meet an object, the share that gets a name; the rest is taken for none of the classes.
  ///
  /// Nil where no box meets an object.
  public var namedShare: Double?
  /// Of the boxes that meet an object and get a name, the share whose name is right; nil where there are none.
  public var rightLabels: Double?
  /// COCO's average precision at an IoU of 0.5, the mean of the classes: an object's score is that of its box, times the
  /// probability of its name.
  ///
  /// Nil without objects.
  public var averagePrecision50: Double?
  /// The same if each box that meets an object had got its name, and surely: what better names would bring at the most.
  public var averagePrecision50WithRightLabels: Double?

  /// The least score of a named box, its own times the probability of its name, with the largest F1: what `--threshold` of
  /// `fovea detect` is best set to; nil where no named box is right.
  public var bestThreshold: Double?

  /// Whether most objects have no box, so that the detector is the limit.
  public var isLimitedByBoxes: Bool { objectCount > 0 && boxRecall < 0.5 }
}
