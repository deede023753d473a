// SPDX-License-Identifier: Apache-2.0
#if Server
import ArgumentParser
import FoveaCore
import FoveaHost

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

  func run() async throws {
    var faults: [FolderFault] = []
    try await CommandEnd.onFailure { () throws(HostError) in
      faults = try await HostFolder(copy, isShared: true).backUp(to: folder, now: SystemClock.now)
      try CommandEnd.print(output.json ? JSONText.line { $0.member("folder", folder) } : "\(folder)\n")
    }
    try CommandEnd.check(copied: faults, from: copy)
  }
}
#endif
