// SPDX-License-Identifier: Apache-2.0

import ArgumentParser

/// `fovea evaluate`: how good results are, compared with the truth.
struct EvaluateCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "evaluate",
    abstract: "Measure results against the truth: fovea evaluate detection --help",
    subcommands: [EvaluateDetectionCommand.self, EvaluateLabelsCommand.self, EvaluateTrackingCommand.self])
}
