// SPDX-License-Identifier: Apache-2.0

import FoveaCore

/// Replaces the class frequencies of the training photos with those expected in use.
///
/// Applies only to heads with a softmax; with sigmoids, the classes are independent.
///
/// **Source:** Menon et al., "Long-tail Learning via Logit Adjustment", ICLR 2021.
package enum PriorShift {
  /// Returns the shift of each class's bias that makes all classes equally likely: ln(n_k / m), with m the
  /// mean of n.
  ///
  /// Adding a constant to all classes does not change a softmax, so any m would do. With the mean, classes
  /// that keep their bias stay as likely as before, and nothing is subtracted if all other classes have the
  /// same number of photos.
  /// - Parameters:
  ///   - counts: The photos of each class: `[classCount]`; a class without any keeps its bias.
  ///   - kept: Classes that keep their bias, such as the class for everything else.
  /// - Returns: The number to subtract from each class's bias after the division by the temperature:
  ///   `[classCount]`.
  package static func uniform(counts: [Int], keeping kept: Set<Int> = []) -> [Double] {
    let shifted = counts.indices.filter { !kept.contains($0) && counts[$0] > 0 }
    let mean = Double(shifted.reduce(0) { $0 + counts[$1] }) / Double(max(1, shifted.count))
    var shift = [Double](repeating: 0, count: counts.count)
    for index in shifted { shift[index] = log(Double(counts[index]) / mean) }
    return shift
  }
}
