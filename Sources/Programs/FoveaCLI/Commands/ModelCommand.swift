// SPDX-License-Identifier: Apache-2.0

import ArgumentParser

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
