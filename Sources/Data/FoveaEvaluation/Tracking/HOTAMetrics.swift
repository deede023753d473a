// SPDX-License-Identifier: Apache-2.0

/// Higher order tracking accuracy: the quality of detections and of their identities in one figure.
///
/// Each figure is the mean over 19 overlaps from which a box counts as found, 0.05 to 0.95. All are
/// fractions, 0…1.
///
/// **Source:** Luiten et al., "HOTA: A Higher Order Metric for Evaluating Multi-Object Tracking", IJCV 2021.
public struct HOTAMetrics: Sendable, Hashable {
  /// The overlaps from which a box counts as found: 0.05, 0.10, … 0.95.
  package static let alphas: [Double] = (0..<19).map { 0.05 + 0.05 * Double($0) }

  /// The number of found boxes for each of ``alphas``.
  package internal(set) var truePositives: [Int]
  /// The number of objects that are not found for each of ``alphas``.
  package internal(set) var falseNegatives: [Int]
  /// The number of boxes without an object for each of ``alphas``.
  package internal(set) var falsePositives: [Int]
  /// Association accuracy for each of ``alphas``.
  package internal(set) var associationAccuracies: [Double]
  /// Association recall for each of ``alphas``.
  package internal(set) var associationRecalls: [Double]
  /// Association precision for each of ``alphas``.
  package internal(set) var associationPrecisions: [Double]
  /// The mean overlap of found boxes for each of ``alphas``; 1 if there are none, as in TrackEval.
  package internal(set) var localizationAccuracies: [Double]

  /// Detection accuracy for each of ``alphas``: found boxes ÷ all boxes, each pair counted once.
  package var detectionAccuracies: [Double] {
    truePositives.indices.map {
      HOTAMetrics.share(truePositives[$0], truePositives[$0] + falseNegatives[$0] + falsePositives[$0])
    }
  }
  /// HOTA for each of ``alphas``: the geometric mean of detection and association accuracy.
  package var hotas: [Double] {
    zip(detectionAccuracies, associationAccuracies).map { ($0 * $1).squareRoot() }
  }

  /// HOTA: the geometric mean of detection and association accuracy.
  public var hota: Double { HOTAMetrics.mean(hotas) }
  /// DetA: found boxes ÷ all boxes, each pair counted once.
  public var detectionAccuracy: Double { HOTAMetrics.mean(detectionAccuracies) }
  /// DetRe: found boxes ÷ objects.
  public var detectionRecall: Double {
    HOTAMetrics.mean(zip(truePositives, falseNegatives).map { HOTAMetrics.share($0, $0 + $1) })
  }
  /// DetPr: found boxes ÷ the tracker's boxes.
  public var detectionPrecision: Double {
    HOTAMetrics.mean(zip(truePositives, falsePositives).map { HOTAMetrics.share($0, $0 + $1) })
  }
  /// AssA: for each found box, the share of its two identities' boxes that are paired with each other.
  public var associationAccuracy: Double { HOTAMetrics.mean(associationAccuracies) }
  /// AssRe: the same as a share of the object's boxes.
  public var associationRecall: Double { HOTAMetrics.mean(associationRecalls) }
  /// AssPr: the same as a share of the tracker's boxes.
  public var associationPrecision: Double { HOTAMetrics.mean(associationPrecisions) }
  /// LocA: the mean overlap of found boxes.
  public var localizationAccuracy: Double { HOTAMetrics.mean(localizationAccuracies) }

  init() {
    let count = HOTAMetrics.alphas.count
    truePositives = [Int](repeating: 0, count: count)
    falseNegatives = truePositives
    falsePositives = truePositives
    associationAccuracies = [Double](repeating: 0, count: count)
    associationRecalls = associationAccuracies
    associationPrecisions = associationAccuracies
    localizationAccuracies = associationAccuracies
  }

  /// Combines the figures of several sequences, each found box with the same weight.
  init(combining parts: [HOTAMetrics]) {
    self.init()
    for index in HOTAMetrics.alphas.indices {
      for part in parts {
        truePositives[index] += part.truePositives[index]
        falseNegatives[index] += part.falseNegatives[index]
        falsePositives[index] += part.falsePositives[index]
      }
      let found = Double(truePositives[index])
      func weighted(_ figures: KeyPath<HOTAMetrics, [Double]>) -> Double {
        parts.reduce(0) { $0 + $1[keyPath: figures][index] * Double($1.truePositives[index]) }
      }
      associationAccuracies[index] = weighted(\.associationAccuracies) / max(1, found)
      associationRecalls[index] = weighted(\.associationRecalls) / max(1, found)
      associationPrecisions[index] = weighted(\.associationPrecisions) / max(1, found)
      localizationAccuracies[index] = HOTAMetrics.localization(weighted(\.localizationAccuracies), found)
    }
  }

  /// Returns the mean overlap; 1 if nothing was found.
  static func localization(_ sum: Double, _ found: Double) -> Double { max(1e-10, sum) / max(1e-10, found) }

  private static func share(_ part: Int, _ whole: Int) -> Double { Double(part) / Double(max(1, whole)) }

  private static func mean(_ values: [Double]) -> Double { values.reduce(0, +) / Double(values.count) }
}
