// SPDX-License-Identifier: Apache-2.0
#if Server
import ArgumentParser

/// `fovea host key`: who may do what.
struct KeyCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "key",
    abstract: "Make and revoke keys: fovea host key add publisher",
    subcommands: [
      KeyAddCommand.self, KeyListCommand.self, KeyRevokeCommand.self, KeyRotateCommand.self,
    ])
}
#endif
