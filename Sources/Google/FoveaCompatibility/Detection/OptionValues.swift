// SPDX-License-Identifier: Apache-2.0

package import Foundation

/// ML Kit's interpretation of option values.
package enum OptionValues {
  /// Returns a threshold; nil if it is unset or not a number of 0…1, which counts as unset.
  package static func threshold(_ value: NSNumber?) -> Float? {
    guard let value = value?.doubleValue, value >= 0, value <= 1 else { return nil }
    return Float(value)
  }

  /// Returns a limit of results: the default if it is not positive, and at most `most`.
  package static func count(_ value: Int, default usual: Int, most: Int = .max) -> Int {
    value > 0 ? min(value, most) : usual
  }
}
