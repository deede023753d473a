// SPDX-License-Identifier: Apache-2.0

package import Foundation

/// What ML Kit makes of values of options.
package enum OptionValues {
  /// A threshold; nil where it is unset, or not a number of 0…1, which counts as unset.
  package static func threshold(_ value: NSNumber?) -> Float? {
    guard let value = value?.doubleValue, value >= 0, value <= 1 else { return nil }
    return Float(value)
  }

  /// A number of results; the default where it is not positive, and no more than `most`.
  package static func count(_ value: Int, default usual: Int, most: Int = .max) -> Int {
    value > 0 ? min(value, most) : usual
  }
}
