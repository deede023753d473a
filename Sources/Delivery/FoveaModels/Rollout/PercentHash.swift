// SPDX-License-Identifier: Apache-2.0

import FoveaCore

/// The hash that assigns installations to shares, as in Remote Config's server templates.
///
/// An id's value depends only on the seed, so a growing share keeps its members.
///
/// **Source:** the percent conditions of the Firebase Admin SDKs for Python and Node: SHA-256 of `seed.id`,
/// or of only the id if the seed is empty, as an integer modulo 100,000,000.
package enum PercentHash {
  /// The number of values, a million for each percent.
  package static let count = 100_000_000

  /// Returns the hash value of an id.
  /// - Parameters:
  ///   - seed: The seed of the rollout or experiment; empty for none.
  ///   - id: The id of the installation or user.
  /// - Returns: 0 to 99,999,999.
  package static func value(seed: String, id: String) -> Int {
    let text = seed.isEmpty ? id : seed + "." + id
    let digest = SHA256.digest(of: Array(text.utf8).span)
    var rest = 0
    var index = 0
    // Four bytes at a time: a remainder has 27 bits.
    while index < digest.count {
      let high = Int(digest[index]) << 24 | Int(digest[index + 1]) << 16
      let word = high | Int(digest[index + 2]) << 8 | Int(digest[index + 3])
      rest = (rest << 32 | word) % count
      index += 4
    }
    return rest
  }

  /// Returns the bound of a percentage, rounded down; an id whose value is below it is in the share.
  ///
  /// Percentages below 0 and NaN count as 0, those above 100 as 100.
  package static func bound(percent: Double) -> Int {
    guard percent > 0 else { return 0 }
    return percent >= 100 ? count : Int((percent * 1_000_000).rounded(.down))
  }
}
