// SPDX-License-Identifier: Apache-2.0

/// The numbers of the coarse categories, as `ObjectLabel.index` has them.
public struct DetectedObjectLabelIndex: RawRepresentable, Sendable, Hashable {
  /// The number.
  public let rawValue: Int
  /// Makes an index from its number.
  public init(rawValue: Int) { self.rawValue = rawValue }

  /// Clothes, shoes, bags.
  public static let fashionGood = DetectedObjectLabelIndex(rawValue: 0)
  /// What stands and lies about in a home.
  public static let homeGood = DetectedObjectLabelIndex(rawValue: 1)
  /// Something to eat or drink.
  public static let food = DetectedObjectLabelIndex(rawValue: 2)
  /// A building, a landscape.
  public static let place = DetectedObjectLabelIndex(rawValue: 3)
  /// A plant or a flower.
  public static let plant = DetectedObjectLabelIndex(rawValue: 4)
}
