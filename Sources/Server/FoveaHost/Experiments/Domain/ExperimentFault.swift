// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore

/// What is wrong with a member of an experiment: a path, and a sentence.
enum ExperimentFault {
  /// An error that names the member, as `variants[1].weight`.
  static func at(
    _ path: String, _ what: String, remedy: Advice = "Correct it, and send it again"
  ) -> HostError {
    ConfigFault.at(path, what, remedy: remedy)
  }

  /// - Throws: `invalid` for what is no weight.
  static func check(_ weight: Int, _ path: String) throws(HostError) {
    guard (1...1_000_000).contains(weight) else {
      throw at(path, "\(weight) is no whole number from 1 to 1,000,000")
    }
  }
}
#endif
