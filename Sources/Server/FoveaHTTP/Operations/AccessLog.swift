// SPDX-License-Identifier: Apache-2.0
#if Server
/// Which requests have a line in the log.
package enum AccessLog: String, Sendable, CaseIterable {
  /// Every request.
  case all
  /// Those that fail, or take longer than a second.
  case slow
  /// None; what fails inside the server is logged all the same.
  case none

  /// Whether a request is logged that was answered with a status after so many seconds.
  func takes(status: Int, seconds: Double) -> Bool {
    switch self {
    case .all: true
    case .slow: status >= 400 || seconds > 1
    case .none: false
    }
  }
}
#endif
