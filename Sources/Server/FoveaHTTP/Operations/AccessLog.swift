// SPDX-License-Identifier: Apache-2.0
#if Server
/// The requests to log.
package enum AccessLog: String, Sendable, CaseIterable {
  /// Every request.
  case all
  /// Requests that fail or take longer than a second.
  case slow
  /// No requests; errors inside the server are still logged.
  case none

  /// Returns whether to log a request with a status and a duration.
  func takes(status: Int, seconds: Double) -> Bool {
    switch self {
    case .all: true
    case .slow: status >= 400 || seconds > 1
    case .none: false
    }
  }
}
#endif
