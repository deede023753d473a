// SPDX-License-Identifier: Apache-2.0
#if Server
import ArgumentParser
import FoveaCore
import FoveaHost

/// `fovea host backup`: copies the host's folder.
struct BackupCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "backup",
    abstract: "Back up a host.",
    discussion: """
      Example: fovea host backup today --folder h

      The host may keep serving. The copy is a complete host folder with its keys:
      keep it secret.
      """)

  @Argument(help: ArgumentHelp("A folder that is empty or does not exist yet.", valueName: "copy"))
  var copy: String

  @Option(help: ArgumentHelp("The host's folder.", valueName: "dir"))
  var folder = "."

  @OptionGroup var output: JSONOption

  func run() async throws { try await output.copy(folder, to: copy, as: "backup") }
}

/// `fovea host restore`: creates a host's folder from a copy.
struct RestoreCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "restore",
    abstract: "Restore a backup.",
    discussion: """
      Example: fovea host restore today models

      The copy is not changed.
      """)

  @Argument(help: ArgumentHelp("The folder that 'fovea host backup' wrote.", valueName: "copy"))
  var copy: String

  @Argument(help: ArgumentHelp("A folder that is empty or does not exist yet.", valueName: "dir"))
  var folder: String

  @OptionGroup var output: JSONOption

  func run() async throws { try await output.copy(copy, to: folder, as: "folder") }
}

extension JSONOption {
  /// Copies a host's folder and prints the path of the copy.
  fileprivate func copy(_ folder: String, to copy: String, as member: StaticString) async throws {
    var faults: [FolderFault] = []
    try await CommandEnd.onFailure { () throws(HostError) in
      faults = try await HostFolder(folder, isShared: true).backUp(to: copy, now: SystemClock.now)
      try CommandEnd.print(json ? JSONText.line { $0.member(member, copy) } : "\(copy)\n")
    }
    try CommandEnd.check(copied: faults, from: folder)
  }
}
#endif
