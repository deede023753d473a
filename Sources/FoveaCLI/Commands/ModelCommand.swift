// SPDX-License-Identifier: Apache-2.0

import ArgumentParser

/// `fovea model`: what can be asked of a model file.
struct ModelCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "model",
    abstract: "Look into models: fovea model inspect coco_ssd.tflite",
    subcommands: [ModelInspectCommand.self])
}
