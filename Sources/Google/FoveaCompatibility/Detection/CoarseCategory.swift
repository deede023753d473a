// SPDX-License-Identifier: Apache-2.0

/// The five categories of the embedded classifier, with ML Kit's numbers.
///
/// **Source:** the header of ML Kit's `DetectedObjectLabelIndex` for 0 to 2; `PredefinedCategory` of ML Kit
/// for Android for the rest and for the strings.
package enum CoarseCategory: Int, Sendable, CaseIterable {
  /// Clothes, shoes, bags.
  case fashionGood = 0
  /// Household objects.
  case homeGood = 1
  /// Food or drink.
  case food = 2
  /// A building or a landscape.
  case place = 3
  /// A plant or a flower.
  case plant = 4

  /// The category's name, as the classifier outputs it.
  package var text: String {
    switch self {
    case .fashionGood: "Fashion good"
    case .homeGood: "Home good"
    case .food: "Food"
    case .place: "Place"
    case .plant: "Plant"
    }
  }

  /// Creates a category from its name; nil for other names.
  package init?(text: String) {
    guard let category = Self.allCases.first(where: { $0.text == text }) else { return nil }
    self = category
  }
}
