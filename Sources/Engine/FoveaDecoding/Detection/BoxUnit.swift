// SPDX-License-Identifier: Apache-2.0

import FoveaGeometry

/// The limit between boxes in fractions of the image and boxes in pixels, for all families.
enum BoxUnit {
  /// The largest number that is read as a fraction.
  ///
  /// Boxes of objects that the image's edge cuts reach somewhat beyond it: two SSDs on 83 photos and two
  /// crops of each, at any score, return −0.16 to 1.17. Boxes in pixels are larger nearly everywhere.
  static let largestFraction: Float = 2

  /// Returns whether an edge of a box is farther from the image than a fraction can be, on either side.
  static func isBeyondFractions(_ box: NormalizedBox) -> Bool {
    let largest = Double(largestFraction)
    return max(box.maxX, box.maxY) > largest || min(box.minX, box.minY) < 1 - largest
  }
}

extension NormalizedPoint {
  /// The farthest that a point can be from the image, in its sides: models place hidden points outside it,
  /// but by a few sides at most.
  static let farthest: Double = 100

  /// Whether the point is finite and at most `farthest` sides away.
  var isPlausible: Bool { abs(x) <= Self.farthest && abs(y) <= Self.farthest }

  /// Returns the words of an error about a point that is not, which `name` describes: "a point of row 3".
  func problem(_ name: String) -> String {
    let farthest = Int(Self.farthest)
    return
      "(\(x.shown), \(y.shown)) as \(name) in fractions of the input, expected -\(farthest) to \(farthest)"
  }
}
