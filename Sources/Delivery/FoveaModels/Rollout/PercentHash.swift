// SPDX-License-Identifier: Apache-2.0

import FoveaCore

/// Which share of all installations one of them belongs to: the hash by which Remote Config's server templates draw.
///
/// The value of an id depends on its seed alone, so a share that grows keeps those that it has.
///
/// **Source:** the percent conditions of the Firebase Admin SDKs for Python and Node: SHA-256 of `seed.id`, or of the
/// id alone where the seed is empty, as a whole number modulo 100,000,000.
package enum PercentHash {
  /// The number of values, a million for each percent.
  package static let count = 100_000_000

  /// The value of an id.
  /// - Parameters:
  ///   - seed: Which draw it is; empty for none.
  ///   - id: The installation, or the user.
  /// - Returns: 0 to 99,999,999.
  package static func value(seed: String, id: String) -> Int {
    let text = seed.isEmpty ? id : seed + "." + id
    let digest = SHA256.digest(of: Array(text.utf8).span)
    var rest = 0
    var index = 0
    // Four bytes at a time: a rest has 27 bits.
    while index < digest.count {
      let high = Int(digest[index]) << 24 | Int(digest[index + 1]) << 16
      let word = high | Int(digest[index + 2]) << 8 | Int(digest[index + 3])
      rest = (rest << 32 | word) % count
      index += 4
    }
    return rest
  }

  /// How many values are a percentage of all, rounded down; an id whose value is below it is in the share.
  ///
  /// Less than 0 % counts as 0, more than 100 % as 100, and what is no number as 0.
  package static func bound(percent: Double) -> Int {
    guard percent > 0 else { return 0 }
    return percent >= 100 ? count : Int((percent * 1_000_000).rounded(.down))
  }
}
