// SPDX-License-Identifier: Apache-2.0

import FoveaCore

/// The command that is running, as a shell reads it.
enum CommandText {
  /// The program and its arguments.
  static var current: String {
    CommandLine.arguments.dropFirst().reduce("fovea") { $0 + " " + ShellText.word($1) }
  }
}
