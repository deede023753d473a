// SPDX-License-Identifier: Apache-2.0

/// The names of the coarse categories, as `ObjectLabel.text` has them.
///
/// An object outside of them has no label.
///
/// **Source:** `PredefinedCategory` of ML Kit for Android, the only place where the texts are published.
public struct DetectedObjectLabel: RawRepresentable, Sendable, Hashable {
  /// The name.
  public let rawValue: String
  /// Makes a label from its name.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// Clothes, shoes, bags.
  public static let fashionGood = DetectedObjectLabel(rawValue: "Fashion good")
  /// What stands and lies about in a home.
  public static let homeGood = DetectedObjectLabel(rawValue: "Home good")
  /// Something to eat or drink.
  public static let food = DetectedObjectLabel(rawValue: "Food")
  /// A building, a landscape.
  public static let place = DetectedObjectLabel(rawValue: "Place")
  /// A plant or a flower.
  public static let plant = DetectedObjectLabel(rawValue: "Plant")
}
