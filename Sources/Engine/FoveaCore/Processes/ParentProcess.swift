// SPDX-License-Identifier: Apache-2.0

/// The process whose end also ends one of Fovea's programs.
package enum ParentProcess {
  /// The environment variable with its process number.
  package static let variable = "FOVEA_PARENT"

  /// Returns the number, and removes the variable, so that child programs do not inherit it.
  /// - Returns: nil if no process is named.
  package static func take() -> pid_t? {
    guard let number = Environment.value(variable).flatMap({ pid_t($0) }) else { return nil }
    unsafe unsetenv(variable)
    return number
  }

  /// The first line on standard error of a program that was asked to confine itself and cannot.
  package static let openNote =
    "fovea: This system has neither seccomp nor Landlock: the model runs unconfined."
}
