// SPDX-License-Identifier: Apache-2.0

import FoveaCore

/// How frequent classes are where a model is used, in place of how many photos there are of each.
///
/// It belongs to heads with a softmax; a sigmoid has no other class to take from.
///
/// **Source:** Menon et al., "Long-tail Learning via Logit Adjustment", ICLR 2021.
package enum PriorShift {
  /// What is taken from the bias of each class so that all are equally likely: ln(n_k / m), with m the mean of n.
  ///
  /// A number that is the same for all classes changes no softmax, so that m may be any; with the mean, classes that keep
  /// their bias stay as likely as they were, and where all others have equally many photos nothing is taken at all.
  /// - Parameters:
  ///   - counts: The photos of each class: `[classCount]`; a class without any keeps its bias.
  ///   - kept: Classes that keep their bias, as the one for none of the others.
  /// - Returns: What to subtract from the bias of each class, after the division by the temperature: `[classCount]`.
  package static func uniform(counts: [Int], keeping kept: Set<Int> = []) -> [Double] {
    let shifted = counts.indices.filter { !kept.contains($0) && counts[$0] > 0 }
    let mean = Double(shifted.reduce(0) { $0 + counts[$1] }) / Double(max(1, shifted.count))
    var shift = [Double](repeating: 0, count: counts.count)
    for index in shifted { shift[index] = log(Double(counts[index]) / mean) }
    return shift
  }
}
