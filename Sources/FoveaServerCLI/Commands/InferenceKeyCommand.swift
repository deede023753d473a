// SPDX-License-Identifier: Apache-2.0
#if Server
  import ArgumentParser

  /// `fovea serve key`: who may ask a server of images.
  struct InferenceKeyCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "key",
      abstract: "Make, list and revoke keys: fovea serve key add camera",
      subcommands: [
        InferenceKeyAddCommand.self, InferenceKeyListCommand.self, InferenceKeyRevokeCommand.self,
      ])
  }

  /// The file that the commands for keys work on.
  struct KeyFileOption: ParsableArguments {
    @Option(help: ArgumentHelp("The file of the keys, as 'fovea serve' gets it.", valueName: "file"))
    var keys = "keys.json"
  }
#endif
