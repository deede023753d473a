// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import FoveaCore

/// A first word that is no command: what the user may have meant.
struct UnknownCommand: Equatable {
  /// What is printed: the error, the usage and where more is said, as for every other usage error.
  let text: String

  /// Finds a word that stands where the name of a command is expected; nil where there is none.
  init?(in arguments: [String]) {
    var command: any ParsableCommand.Type = FoveaCommand.self
    var names = [FoveaCommand.name]
    for (index, argument) in arguments.enumerated() {
      let commands = command.configuration.subcommands
      // An option in this place is the parser's to judge.
      guard !commands.isEmpty, !argument.hasPrefix("-") else { return nil }
      if index == 0, argument == "help" { continue }
      guard let next = commands.first(where: { $0.name == argument }) else {
        let path = names.joined(separator: " ")
        text = """
          Error: Unknown command '\(argument.printable)'. \(Self.advice(argument, command))
          Usage: \(FoveaCommand.usageString(for: command))
            See '\(path) --help' for more information.

          """
        return
      }
      command = next
      names.append(argument)
    }
    return nil
  }

  /// Prints the text and ends the process as a usage error does.
  func exit() -> Never {
    _ = Descriptor.write(text.utf8, to: STDERR_FILENO)
    FoveaCommand.exit(withError: ExitCode.validationFailure)
  }

  private static func advice(_ argument: String, _ command: any ParsableCommand.Type) -> String {
    let names = command.configuration.subcommands.map { $0.name }
    if let nearest = NameDistance.nearest(to: argument, among: names).first,
      FileStatus(FilePath(argument: argument)) == nil
    {
      return "Did you mean '\(nearest)'?"
    }
    if FileStatus(FilePath(argument: argument)) != nil, let verb = verb(for: argument, of: command) {
      return "Did you mean '\(verb) \(argument.printable)'?"
    }
    return "The commands are \(names.dropLast().joined(separator: ", ")) and \(names.last ?? "")."
  }

  /// The command that a file or folder was most likely meant for.
  private static func verb(for path: String, of command: any ParsableCommand.Type) -> String? {
    switch command.name {
    case FoveaCommand.name:
      switch FilePath(path).ending {
      case "tflite": "model inspect"
      case "mp4", "m4v", "mov", "mkv", "webm", "avi", "ts": TrackCommand.name
      default: DetectCommand.name
      }
    case ModelCommand.name: ModelInspectCommand.name
    default: nil
    }
  }
}

extension ParsableCommand {
  /// The command's own word.
  fileprivate static var name: String { configuration.commandName ?? _commandName }
}
