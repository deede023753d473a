// SPDX-License-Identifier: Apache-2.0

import FoveaCore

extension Advice {
  /// The text in the words of the command that is running.
  var commandLine: String { commandLine(.current) }

  /// The text in the words of a command.
  func commandLine(_ words: CommandWords) -> String { text(words.text(for:)) }
}

extension Advice.Term {
  /// The words of a command that has every option.
  var commandLine: String {
    switch self {
    case .modelHost: "--host"
    case .detector: "'fovea detect --model'"
    case .labeler: "'fovea label', or for --classifier"
    default: program
    }
  }
}
