// SPDX-License-Identifier: Apache-2.0

/// The CLEAR figures: boxes found and missed at an overlap of 0.5, and changes of identity.
///
/// **Source:** Bernardin and Stiefelhagen, "Evaluating Multiple Object Tracking Performance: The CLEAR MOT
/// Metrics", 2008; Li, Huang and Nevatia, "Learning to Associate", CVPR 2009, for tracks that are mostly,
/// partly or hardly found.
public struct CLEARMetrics: Sendable, Hashable {
  /// The number of found boxes.
  public internal(set) var truePositives = 0
  /// The number of objects that are not found.
  public internal(set) var falseNegatives = 0
  /// The number of boxes without an object.
  public internal(set) var falsePositives = 0
  /// IDSW: the number of times an object is found with another identity than the last time.
  public internal(set) var identitySwitches = 0
  /// MT: objects found in more than 80 % of their frames.
  public internal(set) var mostlyTracked = 0
  /// PT: objects found in 20 % to 80 % of their frames.
  public internal(set) var partlyTracked = 0
  /// ML: objects found in less than 20 % of their frames.
  public internal(set) var mostlyLost = 0
  /// Frag: the number of times an object is found again after it was lost.
  public internal(set) var fragmentations = 0
  /// The sum of the overlaps of found boxes.
  package internal(set) var overlapSum = 0.0

  /// Whether the figures combine several sequences.
  private var isCombined = false

  /// MOTA: 1 minus the missed objects, wrong boxes and switches as a share of all objects; may be below 0.
  ///
  /// For one sequence without objects it is 0; for several without objects it is minus the number of wrong
  /// boxes. Both as in TrackEval.
  public var accuracy: Double { detectionAccuracy - Double(identitySwitches) / objects }
  /// MOTP: the mean overlap of found boxes; 0 if there are none.
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

  /// Combines the figures of several sequences.
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
