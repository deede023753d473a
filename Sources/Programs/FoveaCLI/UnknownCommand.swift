// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import FoveaCore

/// The usage error for an unknown command, with a suggestion.
struct UnknownCommand: Equatable {
  /// The printed text: the error, the usage and a hint at `--help`, as for every other usage error.
  let text: String

  /// Finds an unknown word where a command is expected; nil if there is none.
  init?(in arguments: [String]) {
    var command: any ParsableCommand.Type = FoveaCommand.self
    var names = [FoveaCommand.name]
    for (index, argument) in arguments.enumerated() {
      let commands = command.configuration.subcommands
      // The parser reports wrong options.
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

  /// Prints the text and exits with the code of a usage error.
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

  /// Returns the command that a file or folder was most likely meant for.
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
  /// The name of the command on the command line.
  fileprivate static var name: String { configuration.commandName ?? _commandName }
}
