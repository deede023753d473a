// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// How many photos of a run get a thumbnail: the first ones, and none of the others.
final class ThumbnailBudget: Sendable {
  private let left: Atomic<Int>

  init(count: Int) { left = Atomic(count) }

  /// Whether one more is to be made, which is counted.
  func take() -> Bool { left.wrappingSubtract(1, ordering: .relaxed).oldValue > 0 }

  /// Takes the count of one back that was not made.
  func giveBack() { left.wrappingAdd(1, ordering: .relaxed) }
}
