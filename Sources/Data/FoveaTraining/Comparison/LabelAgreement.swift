// SPDX-License-Identifier: Apache-2.0

import FoveaCore
package import FoveaDecoding

/// The agreement of two classifiers: the share of images with the same first label.
package struct LabelAgreement: Sendable, Hashable {
  /// The number of images that have a label of either model.
  package private(set) var imageCount = 0
  /// The number of images with the same first label.
  package private(set) var sharedCount = 0
  private var changes = 0.0
  private var changeCount = 0

  /// Creates an agreement without images.
  package init() {}

  /// Compares the labels of several images.
  /// - Parameters:
  ///   - first: The first model's labels of each image: of all classes, in any order.
  ///   - second: The second model's, in the same order of images.
  ///   - pairing: The classes of both.
  /// - Precondition: Both have the same number of images.
  package init(of first: [[Label]], and second: [[Label]], _ pairing: ClassPairing = .byPosition) {
    precondition(first.count == second.count, "\(first.count) images for \(second.count)")
    for (ours, theirs) in zip(first, second) { add(ours, theirs, pairing) }
  }

  /// Adds the labels of one image.
  package mutating func add(_ first: [Label], _ second: [Label], _ pairing: ClassPairing = .byPosition) {
    guard !first.isEmpty || !second.isEmpty else { return }
    imageCount += 1
    guard let ours = Self.best(first), let theirs = Self.best(second) else { return }
    let number = pairing.number(ofFirst: ours.index)
    if pairing.number(ofSecond: theirs.index) == number { sharedCount += 1 }
    guard let same = second.first(where: { pairing.number(ofSecond: $0.index) == number }) else { return }
    changes += abs(Double(same.confidence) - Double(ours.confidence))
    changeCount += 1
  }

  /// The share of images with the same first label, 0…1; nil without images.
  package var shared: Double? { imageCount == 0 ? nil : Double(sharedCount) / Double(imageCount) }

  /// The mean difference between the score of the first model's first label and the second model's score of
  /// that label, 0…1; nil if the second model has a score for none of them.
  package var meanChange: Double? { changeCount == 0 ? nil : changes / Double(changeCount) }

  /// Returns the label with the highest score, of equal ones the first.
  private static func best(_ labels: [Label]) -> Label? {
    labels.reduce(nil) { best, label in
      guard let best, best.confidence >= label.confidence else { return label }
      return best
    }
  }
}
