// SPDX-License-Identifier: Apache-2.0

import FoveaCompatibility

/// The coarse categories of the legacy detector.
///
/// Their numbers differ from ML Kit's `DetectedObjectLabelIndex`: here home goods come before fashion goods.
public enum VisionObjectCategory: Int, Sendable, CaseIterable {
  /// The object is in none of the other categories, or classification is off.
  case unknown = 0
  /// Household objects.
  case homeGoods = 1
  /// Clothes, shoes, bags.
  case fashionGoods = 2
  /// Food or drink.
  case food = 3
  /// A building or a landscape.
  case places = 4
  /// A plant or a flower.
  case plants = 5

  /// Creates a category from a label's name.
  init(_ label: FoundLabel?) {
    self =
      switch label.flatMap({ CoarseCategory(text: $0.text) }) {
      case .homeGood: .homeGoods
      case .fashionGood: .fashionGoods
      case .food: .food
      case .place: .places
      case .plant: .plants
      case nil: .unknown
      }
  }
}
