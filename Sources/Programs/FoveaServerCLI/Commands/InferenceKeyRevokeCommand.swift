// SPDX-License-Identifier: Apache-2.0
#if Server
import ArgumentParser
import FoveaCore
import FoveaInference

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
