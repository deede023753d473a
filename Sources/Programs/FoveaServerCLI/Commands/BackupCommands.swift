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
    usage: "fovea host backup <copy> [options]",
    discussion: """
      Example: fovea host backup today --folder h

      The host may keep serving. The copy is a complete host folder with its keys:
      keep it secret. A database is copied into it. Files in a bucket stay there unless
      --files is given.
      """)

  @Argument(help: ArgumentHelp("A folder that is empty or does not exist yet.", valueName: "copy"))
  var copy: String

  @Option(help: ArgumentHelp("The host's folder.", valueName: "dir"))
  var folder = "."

  @Flag(help: "Also copy the files from their bucket.")
  var files = false

  @OptionGroup var stores: StoreOptions

  @OptionGroup var output: JSONOption

  func validate() throws {
    guard files || (stores.blobs == nil && stores.blobsCredentials == nil) else {
      throw ValidationError("--blobs and --blobs-credentials are for --files: give it, too.")
    }
  }

  func run() async throws {
    try await output.copy(folder, to: copy, as: "backup", hasFiles: files, stores)
  }
}

/// `fovea host restore`: creates a host's folder from a copy.
struct RestoreCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "restore",
    abstract: "Restore a backup.",
    usage: "fovea host restore <copy> <dir> [options]",
    discussion: """
      Example: fovea host restore today models

      The copy is not changed. With --metadata or --blobs, the host's data go there, as
      'fovea host copy' moves them: the same command continues an interrupted restore.
      """)

  @Argument(help: ArgumentHelp("The folder that 'fovea host backup' wrote.", valueName: "copy"))
  var copy: String

  @Argument(help: ArgumentHelp("A folder that is empty or does not exist yet.", valueName: "dir"))
  var folder: String

  @OptionGroup var stores: StoreOptions

  @OptionGroup var output: JSONOption

  func validate() throws { try stores.checkCredentials() }

  func run() async throws {
    guard stores.metadata == nil, stores.blobs == nil else {
      return try await HostCopy.run(
        from: copy, credentials: stores.blobsCredentials, to: folder, stores,
        as: output.json ? "folder" : nil)
    }
    try await output.copy(copy, to: folder, as: "folder", hasFiles: false, stores)
  }
}

extension JSONOption {
  /// Copies a host's folder and prints the path of the copy.
  fileprivate func copy(
    _ folder: String, to copy: String, as member: StaticString, hasFiles: Bool, _ stores: StoreOptions
  ) async throws {
    var faults: [FolderFault] = []
    try await CommandEnd.onFailure { () throws(HostError) in
      let host = try stores.host(folder, isShared: true)
      // Keeps the database open: the host's deinit closes it.
      defer { withExtendedLifetime(host) {} }
      let bucket = try hasFiles ? stores.client(of: host) : nil
      faults = try await host.backUp(to: copy, filesOf: bucket, now: SystemClock.now)
      try CommandEnd.print(json ? JSONText.line { $0.member(member, copy) } : "\(copy)\n")
    }
    try CommandEnd.check(copied: faults, from: folder)
  }
}
#endif
