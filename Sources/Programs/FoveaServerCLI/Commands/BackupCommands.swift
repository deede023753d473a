// SPDX-License-Identifier: Apache-2.0
#if Server
import ArgumentParser
import FoveaCore
import FoveaHost

/// `fovea host backup`: a copy of the host's folder.
struct BackupCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "backup",
    abstract: "Back up a host: fovea host backup today --folder h",
    discussion:
      "The host may go on serving. The copy is the folder of a host itself, with its\nkeys: keep it as secret."
  )

  @Argument(help: ArgumentHelp("A folder that is empty or not there yet.", valueName: "copy"))
  var copy: String

  @Option(help: ArgumentHelp("The folder of the host.", valueName: "dir"))
  var folder = "."

  @OptionGroup var output: JSONOption

  func run() async throws { try await output.copy(folder, to: copy, as: "backup") }
}

/// `fovea host restore`: a host's folder out of a copy.
struct RestoreCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "restore",
    abstract: "Restore a backup: fovea host restore today models",
    discussion: "The copy stays as it is.")

  @Argument(help: ArgumentHelp("What 'fovea host backup' has made.", valueName: "copy"))
  var copy: String

  @Argument(help: ArgumentHelp("A folder that is empty or not there yet.", valueName: "dir"))
  var folder: String

  @OptionGroup var output: JSONOption

  func run() async throws { try await output.copy(copy, to: folder, as: "folder") }
}

extension JSONOption {
  /// Copies the folder of a host, and prints where the copy is.
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
