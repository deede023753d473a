// SPDX-License-Identifier: Apache-2.0

/// The exit codes of every command, other than 0; ArgumentParser has 64 for wrong options.
enum ExitCodes {
  static let failure: Int32 = 1
  /// `detect` and `label` did not start, or ended before their last image: 1 is for images that failed, each with its
  /// record.
  static let unfinished: Int32 = 2
  static let interrupted: Int32 = 130
}
