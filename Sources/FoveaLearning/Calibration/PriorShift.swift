// SPDX-License-Identifier: Apache-2.0

internal import FoveaSystem

/// How frequent classes are where a model is used, in place of how many photos there are of each.
///
/// **Source:** Menon et al., "Long-tail Learning via Logit Adjustment", ICLR 2021.
package enum PriorShift {
  /// What is taken from the bias of each class so that all are equally likely: ln(n_k / n).
  /// - Parameters:
  ///   - counts: The photos of each class; a class without any keeps its bias.
  ///   - kept: Classes that keep their bias, as the one for none of the others.
  /// - Returns: A number for each class.
  package static func uniform(counts: [Int], keeping kept: Set<Int> = []) -> [Double] {
    let total = counts.enumerated().reduce(0) { kept.contains($1.offset) ? $0 : $0 + $1.element }
    return counts.enumerated().map { index, count in
      kept.contains(index) || count == 0 || total == 0 ? 0 : log(Double(count) / Double(total))
    }
  }
}
