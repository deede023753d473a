// SPDX-License-Identifier: Apache-2.0

import FoveaEvaluation

/// The agreement of two segmentation models: the mean IoU of their classes, over the pixels of all images.
package struct MapAgreement: Sendable, Hashable {
  /// The number of images.
  package private(set) var imageCount = 0
  private var tally = MapTally()

  /// Creates an agreement without images.
  package init() {}

  /// Adds the maps of one image.
  /// - Parameters:
  ///   - first: The first model's class of each pixel, row by row; 255 for none, which does not count.
  ///   - second: The second model's.
  ///   - pairing: The classes of both.
  /// - Precondition: Both have the same number of pixels.
  package mutating func add(_ first: [UInt8], _ second: [UInt8], _ pairing: ClassPairing = .byPosition) {
    imageCount += 1
    func numbers(_ number: (Int) -> Int) -> [UInt8] {
      (0...255).map { $0 == 255 ? MapTally.void : UInt8(exactly: number($0)) ?? MapTally.void }
    }
    let ours = numbers { pairing.number(ofFirst: $0) }
    let theirs = numbers { pairing.number(ofSecond: $0) }
    tally.add(second.map { theirs[Int($0)] }, groundTruth: first.map { ours[Int($0)] })
  }

  /// The mean IoU of the classes that either model shows, 0…1; nil without pixels.
  package var meanIoU: Double? { MapMetrics(tally).meanIoU }
  /// The share of pixels with the same class, 0…1; nil without pixels.
  package var equalShare: Double? { MapMetrics(tally).pixelAccuracy }
}
