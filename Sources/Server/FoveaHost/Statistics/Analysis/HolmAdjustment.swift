// SPDX-License-Identifier: Apache-2.0

/// Holm's correction for several comparisons: the rate of any false finding stays below alpha.
///
/// **Source:** Holm, "A simple sequentially rejective multiple test procedure", Scandinavian Journal of Statistics 1979.
enum HolmAdjustment {
  /// Each level as large as it is among all: at most 1, never below the level itself, in the order of the levels.
  static func adjusted(_ levels: [Double]) -> [Double] {
    var adjusted = levels
    var running = 0.0
    let order = levels.indices.sorted { levels[$0] < levels[$1] || (levels[$0] == levels[$1] && $0 < $1) }
    for (rank, index) in order.enumerated() {
      running = max(running, min(1, Double(levels.count - rank) * levels[index]))
      adjusted[index] = running
    }
    return adjusted
  }
}
