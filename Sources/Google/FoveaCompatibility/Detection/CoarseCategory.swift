// SPDX-License-Identifier: Apache-2.0

/// The five categories of the embedded classifier, with ML Kit's numbers.
///
/// **Source:** the header of ML Kit's `DetectedObjectLabelIndex` for 0 to 2; `PredefinedCategory` of its Android twin for
/// the rest and for the texts.
package enum CoarseCategory: Int, Sendable, CaseIterable {
  /// Clothes, shoes, bags.
  case fashionGood = 0
  /// What stands and lies about in a home.
  case homeGood = 1
  /// Something to eat or drink.
  case food = 2
  /// A building, a landscape.
  case place = 3
  /// A plant or a flower.
  case plant = 4

  /// The category's name, as the classifier gives it.
  package var text: String {
    switch self {
    case .fashionGood: "Fashion good"
    case .homeGood: "Home good"
    case .food: "Food"
    case .place: "Place"
    case .plant: "Plant"
    }
  }

  /// The category of a name; nil for other names.
  package init?(text: String) {
    guard let category = Self.allCases.first(where: { $0.text == text }) else { return nil }
    self = category
  }
}
