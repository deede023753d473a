// SPDX-License-Identifier: Apache-2.0

/// The numbers of the coarse categories, the values of `ObjectLabel.index`.
public struct DetectedObjectLabelIndex: RawRepresentable, Sendable, Hashable {
  /// The number.
  public let rawValue: Int
  /// Creates an index from its number.
  public init(rawValue: Int) { self.rawValue = rawValue }

  /// Clothes, shoes, bags.
  public static let fashionGood = DetectedObjectLabelIndex(rawValue: 0)
  /// Household objects.
  public static let homeGood = DetectedObjectLabelIndex(rawValue: 1)
  /// Food or drink.
  public static let food = DetectedObjectLabelIndex(rawValue: 2)
  /// A building or a landscape.
  public static let place = DetectedObjectLabelIndex(rawValue: 3)
  /// A plant or a flower.
  public static let plant = DetectedObjectLabelIndex(rawValue: 4)
}
