// SPDX-License-Identifier: Apache-2.0

import ArgumentParser

/// `fovea train`: models of one's own.
struct TrainCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "train",
    abstract: "Train a classifier: fovea train labels flowers/ --output flowers-model",
    subcommands: [TrainLabelsCommand.self, TrainObjectsCommand.self])
}
