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
  // Not --keys: that is an option of 'fovea serve', which takes it from the commands below it.
  @Option(
    help: ArgumentHelp(
      "The file of the keys, as 'fovea serve --keys' gets it (default: keys.json).", valueName: "file"))
  var file: String?

  /// The file that is named, here or by `--keys` of the server, under whose name it is known as well.
  /// - Throws: `ValidationError` where both name one, or the server has other options, which mean nothing here.
  func path(_ server: InferenceCommand) throws -> String {
    try server.refuseOptions(besides: "--keys", "changes no keys")
    guard file == nil || server.keys == nil else {
      throw ValidationError("--file and --keys both name the file of the keys; give one of them.")
    }
    return file ?? server.keys ?? "keys.json"
  }
}
#endif
