// SPDX-License-Identifier: Apache-2.0

/// The exit codes of every command, other than 0; ArgumentParser has 64 for wrong options.
enum ExitCodes {
  static let failure: Int32 = 1
  static let interrupted: Int32 = 130
}
