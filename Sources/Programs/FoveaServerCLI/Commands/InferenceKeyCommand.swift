// SPDX-License-Identifier: Apache-2.0
#if Server
import ArgumentParser
import FoveaCore
import FoveaInference

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

/// `fovea serve key revoke`: ends a key.
struct InferenceKeyRevokeCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "revoke", abstract: "End a key: fovea serve key revoke camera")

  @Argument(help: ArgumentHelp("What the key is called.", valueName: "name"))
  var name: String

  @ParentCommand var server: InferenceCommand
  @OptionGroup var file: KeyFileOption
  @OptionGroup var output: JSONOption

  func run() async throws {
    let path = try file.path(server)
    try await CommandEnd.printing { () throws(FoveaError) in
      var keys = try AccessKeyFile(path)
      try keys.revoke(name)
      try keys.write()
      return output.json ? JSONText.line { $0.member("revoked", name) } : "\(name.printable) is revoked\n"
    }
  }
}
#endif
