// SPDX-License-Identifier: Apache-2.0

package import Fovea
import FoveaCore
import FoveaGeometry

/// The agreement of two detectors: the share of boxes that both find.
///
/// The boxes of an image are matched in descending order of the first model's scores: each box takes the free
/// box of the second model with the same class and the largest overlap, from `leastOverlap`.
package struct BoxAgreement: Sendable, Hashable {
  /// The score from which a box counts, if neither the caller nor the first model has a threshold.
  package static let usualThreshold: Float = 0.3
  /// The least overlap (IoU) of two boxes that match.
  package static let leastOverlap = 0.5

  /// The number of boxes of the first model.
  package private(set) var firstCount = 0
  /// The number of boxes of the second model.
  package private(set) var secondCount = 0
  /// The number of boxes that match.
  package private(set) var matchedCount = 0
  private var overlaps = 0.0

  /// Creates an agreement without boxes.
  package init() {}

  /// Compares the boxes of several images.
  /// - Parameters:
  ///   - first: The first model's objects of each image, all of which count.
  ///   - second: The second model's, in the same order of images.
  ///   - pairing: The classes of both.
  /// - Precondition: Both have the same number of images.
  package init(
    of first: [[DetectedObject]], and second: [[DetectedObject]], _ pairing: ClassPairing = .byPosition
  ) {
    precondition(first.count == second.count, "\(first.count) images for \(second.count)")
    for (ours, theirs) in zip(first, second) { add(ours, theirs, pairing) }
  }

  /// Adds the boxes of one image, in any order.
  package mutating func add(
    _ first: [DetectedObject], _ second: [DetectedObject], _ pairing: ClassPairing = .byPosition
  ) {
    firstCount += first.count
    secondCount += second.count
    var isFree = [Bool](repeating: true, count: second.count)
    let theirs = second.map { pairing.number(ofSecond: $0.labels.first?.index) }
    // The sort is stable.
    for object in first.sorted(by: { $0.score > $1.score }) {
      let number = pairing.number(ofFirst: object.labels.first?.index)
      var best: (place: Int, overlap: Double)?
      for (place, other) in second.enumerated() where isFree[place] && theirs[place] == number {
        let overlap = object.box.iou(with: other.box)
        if overlap >= Self.leastOverlap, overlap > best?.overlap ?? 0 { best = (place, overlap) }
      }
      guard let best else { continue }
      isFree[best.place] = false
      matchedCount += 1
      overlaps += best.overlap
    }
  }

  /// Twice the number of matching boxes divided by the number of all, 0…1: the harmonic mean of precision and
  /// recall; nil if neither model finds a box.
  package var f1: Double? {
    let count = firstCount + secondCount
    return count == 0 ? nil : 2 * Double(matchedCount) / Double(count)
  }

  /// The mean overlap of matching boxes, 0.5…1; nil if none match.
  package var meanOverlap: Double? { matchedCount == 0 ? nil : overlaps / Double(matchedCount) }
}
