// SPDX-License-Identifier: Apache-2.0

import FoveaCore

/// The quality of a detector's boxes with learned names on images that were not used for training; shares are
/// from 0 to 1.
///
/// A box matches an object from an IoU of 0.5.
public struct ObjectFigures: Sendable, Equatable {
  /// The number of evaluated images.
  public var imageCount: Int
  /// The number of objects in them, without crowds.
  public var objectCount: Int
  /// The number of the detector's boxes with any score.
  public var boxCount: Int
  /// The share of objects that a box matches, each box at most one object; names do not affect it.
  public var boxRecall: Double
  /// The share of matching boxes that get a name; the others are classified as `None_of_the_above`.
  ///
  /// Nil if no box matches an object.
  public var namedShare: Double?
  /// The share of right names among the matching boxes with a name; nil if there are none.
  public var rightLabels: Double?
  /// COCO's average precision at an IoU of 0.5, the mean of the classes; an object's score is the box's score
  /// times the probability of its name.
  ///
  /// Nil without objects.
  public var averagePrecision50: Double?
  /// The average precision if each matching box had the right name with certainty: the most that better names
  /// can reach.
  public var averagePrecision50WithRightLabels: Double?

  /// The threshold with the largest F1 for the score of a named box, the box's score times the probability of
  /// its name: the best `--threshold` for `fovea detect`; nil if no named box is right.
  public var bestThreshold: Double?

  /// The best threshold with two decimals, or with one digit if it is smaller, rounded down, so that boxes of
  /// that score still pass.
  package var bestThresholdText: String? {
    bestThreshold.map { threshold in
      var (places, factor) = (2, 100.0)
      while threshold > 0, threshold * factor < 1, places < Self.mostPlaces {
        (places, factor) = (places + 1, factor * 10)
      }
      return DecimalText.fixed((threshold * factor).rounded(.down) / factor, places: places)
    }
  }

  /// The most decimals of a threshold.
  private static let mostPlaces = 6

  /// Whether most objects have no box, so that the detector limits the result.
  public var isLimitedByBoxes: Bool { objectCount > 0 && boxRecall < 0.5 }
}
