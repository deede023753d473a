// SPDX-License-Identifier: Apache-2.0

package import FoveaCore

/// An error of counts, a plan or a simulation.
package typealias StatisticsError = Failure<StatisticsCode>

/// The kinds of ``StatisticsError``.
package struct StatisticsCode: FailureCode {
  package static let domain = "statistics"
  package var rawValue: String
  package init(rawValue: String) { self.rawValue = rawValue }

  /// A count, a sum or a parameter is impossible; the message begins with its path.
  package static let invalid = Self(rawValue: "invalid")
  /// The work was cancelled.
  package static let cancelled = Self(rawValue: "cancelled")
}

extension StatisticsError {
  /// Returns the error of an impossible value.
  /// - Parameters:
  ///   - path: Its position, for example `looks[3].sum[1]`.
  ///   - reason: The reason, beginning with a verb: `is -1, below 0`.
  ///   - remedy: The next step.
  /// - Returns: The error.
  static func invalid(_ path: String, _ reason: String, remedy: Advice = "Correct it") -> StatisticsError {
    StatisticsError(.invalid, "\(path) \(reason)", remedy: remedy)
  }
}
