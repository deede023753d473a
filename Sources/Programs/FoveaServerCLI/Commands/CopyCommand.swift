// SPDX-License-Identifier: Apache-2.0
#if Server
import ArgumentParser
import FoveaCore
import FoveaHost

/// `fovea host copy`: moves a host to another folder, database or bucket.
struct CopyCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "copy",
    abstract: "Move a host.",
    usage: "fovea host copy --from <dir> --to <dir> [options]",
    discussion: """
      Example: fovea host copy --from models --to new --metadata postgres://db/fovea

      Stop the host first; its data stay as they are. Reads every file in both places
      and compares it with its SHA-256. The same command continues an interrupted
      copy. Nothing is served from the copy before it is complete.
      """)

  @Option(help: ArgumentHelp("The folder of the host, which names its data elsewhere.", valueName: "dir"))
  var from: String

  @Option(help: ArgumentHelp("A folder that is empty or does not exist yet.", valueName: "dir"))
  var to: String

  @Option(
    help: ArgumentHelp("Read the key of the bucket in --from from a file.", valueName: "file"))
  var fromCredentials: String?

  @OptionGroup var stores: StoreOptions

  @OptionGroup var output: JSONOption

  func validate() throws {
    try stores.checkCredentials()
    for (scheme, option) in [("postgres://", "metadata"), ("postgresql://", "metadata"), ("s3://", "blobs")]
    where to.hasPrefix(scheme) {
      throw ValidationError("--to is the folder for the host's keys: give this address in --\(option).")
    }
  }

  func run() async throws {
    try await HostCopy.run(
      from: from, credentials: fromCredentials, to: to, stores, as: output.json ? "copy" : nil)
  }
}

extension HostCopy {
  /// Copies a host for a command, and prints the content of the copy; as JSON if a name of its folder is
  /// given.
  static func run(
    from: String, credentials: String?, to: String, _ stores: StoreOptions, as member: StaticString?
  ) async throws {
    try await Interrupt.withCode {
      var written = Written()
      try await CommandEnd.onFailure { () throws(HostError) in
        let host = try HostFolder(from)
        // Keeps the database open: the host's deinit closes it.
        defer { withExtendedLifetime(host) {} }
        let bucket = try host.bucket().map { StoreOptions.client($0, credentials: credentials) }
        let copy = HostCopy(
          of: host, in: bucket, to: to, metadata: stores.metadata, bucket: stores.client())
        Interrupt.install()
        let meter = CopyMeter()
        defer { meter.end() }
        written = try await Interrupt.cancelling { () async throws(HostError) in
          try await copy.run(progress: meter.show)
        }
        guard written.faults.isEmpty else { return }
        try CommandEnd.print(member.map { written.json(to, as: $0) } ?? written.text(to))
      }
      guard !written.faults.isEmpty else { return }
      for fault in written.faults { CommandEnd.warn(fault.text.printable.sentence) }
      throw CommandEnd.line(
        "The copy is not complete, and cannot be served. Publish the files again or restore a backup, or run "
          + "fovea host fsck \(from.shellPath.printable) --repair, then copy the host again.")
    }
  }
}

extension HostCopy.Written {
  func text(_ folder: String) -> String {
    let before = present > 0 ? ", \(DecimalText.grouped(present)) of them copied before" : ""
    return "\(DecimalText.counted(models, "model", "models")) with "
      + "\(DecimalText.counted(versions, "version", "versions")) in \(folder): "
      + "\(DecimalText.counted(files, "file", "files")), \(DecimalText.bytes(Int(bytes)))\(before)\n"
  }

  func json(_ folder: String, as member: StaticString) -> String {
    JSONText.line { json in
      json.member(member, folder)
      json.member("models", models)
      json.member("versions", versions)
      json.member("files", files)
      json.member("bytes", Int(bytes))
      json.member("present", present)
    }
  }
}
#endif
