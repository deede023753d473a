// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Fovea
import FoveaCore

/// The wording of advice for one command: an option that the command lacks is named together with a command
/// that has it.
struct CommandWords: Sendable {
  /// The options in the command's help, such as `--labels`; nil for an unknown command, which has them all.
  private let options: Set<String>?

  /// The wording for the running command.
  static let current = CommandWords(command(CommandLine.arguments.dropFirst()))

  init(_ command: (any ParsableCommand.Type)?) {
    options = command.map { command in
      let help = FoveaCommand.helpMessage(for: command, includeHidden: true)
      return Set(help.split { !$0.isLetter && $0 != "-" }.map(String.init))
    }
  }

  /// Returns the subcommand that arguments name; nil if they name none.
  static func command(_ arguments: some Sequence<String>) -> (any ParsableCommand.Type)? {
    var found: (any ParsableCommand.Type)?
    var choices = FoveaCommand.configuration.subcommands
    for argument in arguments {
      guard let next = choices.first(where: { $0.configuration.commandName == argument }) else { break }
      found = next
      choices = next.configuration.subcommands
    }
    return found
  }

  func text(for term: Advice.Term) -> String {
    let text = term.commandLine
    if case .labeler = term, let options, !options.contains("--classifier") { return "'fovea label'" }
    guard let options, let (option, command) = CommandWords.option(of: term), !options.contains(option) else {
      return text
    }
    return "\(text) of \(command)"
  }

  /// Returns the option of a term and a command that has it; nil for a term that is not an option, and for
  /// options that only their own command names.
  static func option(of term: Advice.Term) -> (name: String, command: String)? {
    switch term {
    case .option(let name, _), .flag(let name, _): homes[name].map { (name: "--\(name)", command: $0) }
    case .modelHost: ("--host", "'fovea model pull'")
    default: nil
    }
  }

  /// A command for each option that the advice of other commands names too.
  private static let homes = [
    "activation": "'fovea detect' or 'fovea label'", "max-pixels": "'fovea detect' or 'fovea label'",
    "background": "'fovea detect'", "family": "'fovea detect'", "upright": "'fovea detect'",
    "labels": "'fovea model add-metadata'", "normalize": "'fovea model add-metadata'",
    "benchmark": "'fovea evaluate tracking'", "sequences": "'fovea evaluate tracking'",
    "ignore-unknown": "'fovea evaluate detection'", "map": "'fovea evaluate labels'",
  ]
}

extension Advice {
  /// The text in the wording of the running command.
  var commandLine: String { commandLine(.current) }

  /// Returns the text in the wording of a command.
  func commandLine(_ words: CommandWords) -> String { text(words.text(for:)) }
}

extension Advice.Term {
  /// The wording for a command that has every option.
  var commandLine: String {
    switch self {
    case .modelHost: "--host"
    case .detector: "'fovea detect --model'"
    case .labeler: "'fovea label' or --classifier"
    default: program
    }
  }
}

extension FoveaError {
  /// The same error for the users of `fovea host publish`, which runs other commands and has none of their
  /// options: without advice to use one.
  var forPublish: FoveaError {
    var error = self
    error.remedy = CropAdvice.published(remedy)
    if !error.remedy.options.isEmpty { error.remedy = "" }
    return error
  }
}

/// Commands as a shell reads them.
enum CommandText {
  /// The program and the arguments of the running command.
  static var current: String { CommandLine.arguments.dropFirst().reduce("fovea") { $0 + " " + $1.shellWord } }

  /// Returns the command that uses a new model on a photo, to print and to copy, with the options that have a
  /// value, in order; a path is a `shellPath`.
  static func use(_ name: String, _ options: [(name: String, value: String?)]) -> String {
    options.reduce("fovea \(name) photo.jpg") { text, option in
      text + (option.value.map { " --\(option.name) \($0)" } ?? "")
    }.printable
  }
}
