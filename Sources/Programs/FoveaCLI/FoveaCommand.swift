// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import FoveaCore
import FoveaRuntime

/// `fovea`: the top-level command.
@main
struct FoveaCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "fovea",
    abstract: "Find, label and follow objects in photos and video.",
    discussion: "Example: fovea detect street.jpg",
    subcommands: [
      DetectCommand.self, LabelCommand.self, SegmentCommand.self, TrackCommand.self, EmbedCommand.self,
      EvaluateCommand.self, TrainCommand.self, ModelCommand.self, ForwardedHostCommand.self,
      ForwardedInferenceCommand.self, BenchCommand.self,
    ])

  @Flag(help: "Print the versions of Fovea and LiteRT.")
  var version = false

  static func main() async {
    StandardDescriptors.occupy()
    // The parent process has already exited: nothing is left to read the output.
    if let parent = ParentProcess.take(), !ProcessSeal.endWithParent(parent) { _exit(EXIT_FAILURE) }
    // Checked before parsing: only the server's program knows these options.
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

/// `fovea evaluate`: compares results with the ground truth.
struct EvaluateCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "evaluate",
    abstract: "Compare results with the ground truth.",
    discussion: "Example: fovea evaluate labels test/ --model flowers-model",
    subcommands: [
      EvaluateDetectionCommand.self, EvaluateLabelsCommand.self, EvaluateSegmentationCommand.self,
      EvaluateTrackingCommand.self,
    ])
}

/// `fovea model`: inspects model files and manages installed models.
struct ModelCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "model",
    abstract: "Inspect, check, compare and download models.",
    discussion: "Example: fovea model list",
    subcommands: [
      ModelInspectCommand.self, ModelCheckCommand.self, ModelCompareCommand.self, ModelQuantizeCommand.self,
      ModelAddMetadataCommand.self, ModelListCommand.self, ModelPullCommand.self, ModelVerifyCommand.self,
      ModelRemoveCommand.self, ModelRollbackCommand.self,
    ])
}

/// `fovea train`: trains custom models.
struct TrainCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "train",
    abstract: "Train a classifier on your own images.",
    discussion: "Example: fovea train labels flowers/ --output flowers-model",
    subcommands: [TrainLabelsCommand.self, TrainObjectsCommand.self])
}
