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
    // Not --keys: that is an option of 'fovea serve', which would take it from the commands below it.
    @Option(help: ArgumentHelp("The file of the keys, as 'fovea serve --keys' gets it.", valueName: "file"))
    var file = "keys.json"
  }
#endif
