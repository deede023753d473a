// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore

/// Errors about a member of an experiment: a path, and a sentence.
enum ExperimentFault {
  /// Returns an error that names the member, for example `variants[1].weight`.
  static func at(
    _ path: String, _ what: String, remedy: Advice = "Correct it, and send the request again"
  ) -> HostError {
    ConfigFault.at(path, what, remedy: remedy)
  }

  /// - Throws: `invalid` for an invalid weight.
  static func check(_ weight: Int, _ path: String) throws(HostError) {
    guard (1...1_000_000).contains(weight) else {
      throw at(path, "\(weight) is not a whole number from 1 to 1,000,000")
    }
  }
}
#endif
