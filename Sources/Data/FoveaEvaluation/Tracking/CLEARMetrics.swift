// SPDX-License-Identifier: Apache-2.0

/// The CLEAR figures: boxes found and missed at an overlap of 0.5, and changes of identity.
///
/// **Source:** Bernardin and Stiefelhagen, "Evaluating Multiple Object Tracking Performance: The CLEAR MOT Metrics",
/// 2008; Li, Huang and Nevatia, "Learning to Associate", CVPR 2009, for tracks found mostly, partly or hardly at all.
public struct CLEARMetrics: Sendable, Hashable {
  /// Boxes that are found.
  public internal(set) var truePositives = 0
  /// Objects that are not found.
  public internal(set) var falseNegatives = 0
  /// Boxes that are no object.
  public internal(set) var falsePositives = 0
  /// IDSW: how often an object is found under another identity than the last time it was found.
  public internal(set) var identitySwitches = 0
  /// MT: objects found in more than 80 % of their frames.
  public internal(set) var mostlyTracked = 0
  /// PT: objects found in 20 % to 80 % of their frames.
  public internal(set) var partlyTracked = 0
  /// ML: objects found in less than 20 % of their frames.
  public internal(set) var mostlyLost = 0
  /// Frag: how often an object is found again after it was lost.
  public internal(set) var fragmentations = 0
  /// The sum of the overlaps of the boxes that are found.
  public internal(set) var overlapSum = 0.0

  /// Whether the figures are those of several sequences.
  private var isCombined = false

  /// MOTA: 1 less missed objects, wrong boxes and switches as a part of all objects; may be below 0.
  ///
  /// Of one sequence without objects it is 0; of several without objects it is the number of wrong boxes below 0. Both
  /// as in TrackEval.
  public var accuracy: Double { detectionAccuracy - Double(identitySwitches) / objects }
  /// MOTP: the mean overlap of the boxes that are found; 0 where none is.
  public var precisionOfBoxes: Double { overlapSum / max(1, Double(truePositives)) }
  /// MODA: MOTA without switches.
  public var detectionAccuracy: Double {
    if truePositives + falseNegatives == 0 && !isCombined { return 0 }
    return Double(truePositives - falsePositives) / objects
  }
  /// Found boxes ÷ objects.
  public var recall: Double { Double(truePositives) / objects }
  /// Found boxes ÷ the tracker's boxes.
  public var precision: Double { Double(truePositives) / max(1, Double(truePositives + falsePositives)) }

  private var objects: Double { max(1, Double(truePositives + falseNegatives)) }

  init() {}

  /// The figures of several sequences together.
  init(combining parts: [CLEARMetrics]) {
    isCombined = true
    for part in parts {
      truePositives += part.truePositives
      falseNegatives += part.falseNegatives
      falsePositives += part.falsePositives
      identitySwitches += part.identitySwitches
      mostlyTracked += part.mostlyTracked
      partlyTracked += part.partlyTracked
      mostlyLost += part.mostlyLost
      fragmentations += part.fragmentations
      overlapSum += part.overlapSum
    }
  }
}
