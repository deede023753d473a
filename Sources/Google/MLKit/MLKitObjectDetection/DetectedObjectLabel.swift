// SPDX-License-Identifier: Apache-2.0

/// The names of the coarse categories, the values of `ObjectLabel.text`.
///
/// An object outside these categories has no label.
///
/// **Source:** `PredefinedCategory` of ML Kit for Android, the only published source of the strings.
public struct DetectedObjectLabel: RawRepresentable, Sendable, Hashable {
  /// The name.
  public let rawValue: String
  /// Creates a label from its name.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// Clothes, shoes, bags.
  public static let fashionGood = DetectedObjectLabel(rawValue: "Fashion good")
  /// Household objects.
  public static let homeGood = DetectedObjectLabel(rawValue: "Home good")
  /// Food or drink.
  public static let food = DetectedObjectLabel(rawValue: "Food")
  /// A building or a landscape.
  public static let place = DetectedObjectLabel(rawValue: "Place")
  /// A plant or a flower.
  public static let plant = DetectedObjectLabel(rawValue: "Plant")
}
