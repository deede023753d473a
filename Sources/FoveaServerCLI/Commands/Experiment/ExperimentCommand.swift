// SPDX-License-Identifier: Apache-2.0
#if Server
  import ArgumentParser

  /// `fovea host experiment`: which version is better.
  struct ExperimentCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "experiment",
      abstract: "Compare versions: fovea host experiment report birds-2",
      discussion: "plan, analyze and simulate need no host.",
      subcommands: [AnalyzeCommand.self, PlanCommand.self, SimulateCommand.self])
  }
#endif
