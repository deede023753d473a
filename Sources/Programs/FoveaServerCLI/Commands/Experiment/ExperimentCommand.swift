// SPDX-License-Identifier: Apache-2.0
#if Server
import ArgumentParser
package import FoveaHost

/// `fovea host experiment`: compares versions.
struct ExperimentCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "experiment",
    abstract: "Compare versions.",
    discussion: "plan, analyze and simulate need no host.",
    subcommands: [
      StartCommand.self, ExperimentListCommand.self, ExperimentShowCommand.self, ReportCommand.self,
      WeightsCommand.self, OverrideCommand.self, PauseCommand.self, ResumeCommand.self, StopCommand.self,
      RollOutCommand.self, AnalyzeCommand.self, PlanCommand.self, SimulateCommand.self,
    ])
}

/// The experiment that a command acts on.
struct ExperimentName: ParsableArguments {
  @Argument(help: ArgumentHelp("The experiment's id.", valueName: "id"))
  var id: String
}

extension WeightedVariants: ExpressibleByArgument {
  package init?(argument: String) { self.init(argument) }
}

/// A time in days or less: `24h`, `7d`, `90m`, `0`.
struct TimeWindow: ExpressibleByArgument, Equatable {
  let seconds: Double

  init(seconds: Double) { self.seconds = seconds }

  init?(argument: String) {
    if argument == "0" {
      seconds = 0
    } else if argument.hasSuffix("d") {
      guard let days = Double(argument.dropLast()), days >= 0, days <= 10_000 else { return nil }
      seconds = days * 86_400
    } else {
      guard let time = Seconds(argument: argument) else { return nil }
      seconds = time.seconds
    }
  }

  var defaultValueDescription: String { "\(Int(seconds / 3_600))h" }
}
#endif
