// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import FoveaCore
import FoveaRuntime

/// `fovea`: the verbs, and nothing else.
@main
struct FoveaCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "fovea",
    abstract: "Find, label and follow objects: fovea detect street.jpg",
    subcommands: [
      DetectCommand.self, LabelCommand.self, TrackCommand.self, EvaluateCommand.self, TrainCommand.self,
      ModelCommand.self, HostCommand.self, ServeCommand.self, BenchCommand.self,
    ])

  @Flag(help: "Print the version, and LiteRT's.")
  var version = false

  static func main() async {
    StandardDescriptors.occupy()
    // Who has started it is gone already: there is no one to read what it would find out.
    if let parent = ParentProcess.take(), !ProcessSeal.endWithParent(parent) { _exit(EXIT_FAILURE) }
    // Before anything is read: the server's program knows its options.
    if ServerProgram.isAsked(CommandLine.arguments.dropFirst()) {
      FoveaCommand.exit(withError: ServerProgram.replaceThisOne())
    }
    if let unknown = UnknownCommand(in: Array(CommandLine.arguments.dropFirst())) { unknown.exit() }
    await main(nil)
  }

  func run() async throws {
    guard version else { throw CleanExit.helpRequest(self) }
    try CommandFailure.print(Version.line + "\n")
  }
}

/// `fovea evaluate`: how good results are, compared with the truth.
struct EvaluateCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "evaluate",
    abstract: "Measure results against the truth: fovea evaluate detection --help",
    subcommands: [EvaluateDetectionCommand.self, EvaluateLabelsCommand.self, EvaluateTrackingCommand.self])
}

/// `fovea model`: what can be asked of models, and done with those that have names.
struct ModelCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "model",
    abstract: "Inspect, check and download models: fovea model list",
    subcommands: [
      ModelInspectCommand.self, ModelCheckCommand.self, ModelAddMetadataCommand.self, ModelListCommand.self,
      ModelPullCommand.self, ModelVerifyCommand.self, ModelRemoveCommand.self, ModelRollbackCommand.self,
    ])
}

/// `fovea train`: models of one's own.
struct TrainCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "train",
    abstract: "Train a classifier: fovea train labels flowers/ --output flowers-model",
    subcommands: [TrainLabelsCommand.self, TrainObjectsCommand.self])
}
