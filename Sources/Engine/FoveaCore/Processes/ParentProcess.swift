// SPDX-License-Identifier: Apache-2.0

/// The process without which one of Fovea's programs is to end.
package enum ParentProcess {
  /// The variable that names it by its number.
  package static let variable = "FOVEA_PARENT"

  /// Reads the number, and takes the variable away: it is of no concern to programs that this one becomes or starts.
  /// - Returns: nil where no process is named.
  package static func take() -> pid_t? {
    guard let number = Environment.value(variable).flatMap({ pid_t($0) }) else { return nil }
    unsafe unsetenv(variable)
    return number
  }

  /// The first line that a program prints to standard error where it was asked to close itself off and cannot.
  package static let openNote =
    "fovea: This system has neither seccomp nor Landlock: what the model does is not confined."
}
