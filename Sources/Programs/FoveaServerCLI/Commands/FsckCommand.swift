// SPDX-License-Identifier: Apache-2.0
#if Server
import ArgumentParser
import FoveaCore
import FoveaHost

/// `fovea host fsck`: compares the files with the database.
struct FsckCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "fsck",
    abstract: "Check a host's data.",
    usage: "fovea host fsck <dir> [options]",
    discussion: """
      Example: fovea host fsck models

      Reads every file, in the folder or in its bucket, also while the host serves.
      Exits with 1 if a problem is found, or remains after a repair. Stop the host
      before --repair.
      """)

  @Argument(help: ArgumentHelp("The host's folder.", valueName: "dir"))
  var folder: String

  @Flag(help: "Withdraw versions without a file and remove files without a version.")
  var repair = false

  @OptionGroup var stores: StoreOptions

  @OptionGroup var output: JSONOption

  func run() async throws {
    var faults: [FolderFault] = []
    try await CommandEnd.onFailure { () throws(HostError) in
      let host = try stores.host(folder, isShared: !repair)
      // Keeps the database open: the host's deinit closes it.
      defer { withExtendedLifetime(host) {} }
      let files = try await host.presentStore(in: stores.client(of: host))
      faults = try await host.check(files, repair: repair, now: SystemClock.now)
      try CommandEnd.print(output.json ? Self.json(faults) : Self.text(faults))
    }
    if !faults.allSatisfy(\.isRepaired) { throw ExitCode(1) }
  }

  static func text(_ faults: [FolderFault]) -> String {
    guard !faults.isEmpty else { return "no problems\n" }
    return faults.map { $0.text.printable + ($0.isRepaired ? ": repaired" : "") + "\n" }.joined()
  }

  static func json(_ faults: [FolderFault]) -> String {
    JSONText.line { json in
      json.member("problems", faults) { $0.string($1.text) }
      json.member("repaired", !faults.isEmpty && faults.allSatisfy(\.isRepaired))
    }
  }
}
#endif
