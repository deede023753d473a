// SPDX-License-Identifier: Apache-2.0

/// The pixels of class maps, counted by their class in the ground truth and in the map.
package struct MapTally: Sendable, Hashable {
  /// The class number of void pixels of ground truth, which do not count, and of pixels without a class in
  /// maps: 255, as in PASCAL VOC and in the training numbers of Cityscapes.
  package static let void: UInt8 = 255

  /// The counted pixels; those without a class in the map have no answer.
  package private(set) var confusion = ConfusionTable()
  /// The number of pixels that are void in the ground truth, which do not count.
  package private(set) var voidCount = 0

  /// Creates an empty tally.
  package init() {}

  /// Counts the pixels of a map.
  /// - Parameters:
  ///   - map: The class number of each pixel, row by row.
  ///   - groundTruth: The right class numbers, in the same order.
  /// - Precondition: Both have the same number of pixels.
  /// - Complexity: O(pixels).
  package mutating func add(_ map: [UInt8], groundTruth: [UInt8]) {
    precondition(map.count == groundTruth.count, "\(map.count) pixels for \(groundTruth.count)")
    var counts = [Int](repeating: 0, count: 1 << 16)
    for (given, answered) in zip(groundTruth, map) { counts[Int(given) << 8 | Int(answered)] += 1 }
    for (pair, count) in counts.enumerated() where count > 0 {
      let (given, answered) = (UInt8(pair >> 8), UInt8(pair & 255))
      guard given != MapTally.void else {
        voidCount += count
        continue
      }
      confusion.add(
        given: Int(given), answered: answered == MapTally.void ? nil : Int(answered), count: count)
    }
  }

  /// Adds the pixels of another tally.
  package mutating func add(_ other: MapTally) {
    confusion.add(other.confusion)
    voidCount += other.voidCount
  }
}
