// SPDX-License-Identifier: Apache-2.0
#if Server
import ArgumentParser

/// `fovea host experiment`: which version is better.
struct ExperimentCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "experiment",
    abstract: "Compare versions: fovea host experiment report birds-2",
    discussion: "plan, analyze and simulate need no host.",
    subcommands: [
      StartCommand.self, ExperimentListCommand.self, ExperimentShowCommand.self, ReportCommand.self,
      WeightsCommand.self, OverrideCommand.self, PauseCommand.self, ResumeCommand.self, StopCommand.self,
      RollOutCommand.self, AnalyzeCommand.self, PlanCommand.self, SimulateCommand.self,
    ])
}

/// The experiment that a command is about.
struct ExperimentName: ParsableArguments {
  @Argument(help: ArgumentHelp("The id of the experiment.", valueName: "id"))
  var id: String
}
#endif
