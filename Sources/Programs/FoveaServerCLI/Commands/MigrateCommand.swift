// SPDX-License-Identifier: Apache-2.0
#if Server
import ArgumentParser
import FoveaCore
import FoveaHost

/// `fovea host migrate`: changes the tables of a host to those of this program.
struct MigrateCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "migrate",
    abstract: "Update a host's tables.",
    usage: "fovea host migrate <dir> [options]",
    discussion: """
      Example: fovea host migrate models --dry-run

      Every start of a host does this, too. --dry-run prints the statements, also
      while hosts serve, and changes nothing. Back up the host before a migration:
      older programs refuse newer tables.
      """)

  @Argument(help: ArgumentHelp("The host's folder.", valueName: "dir"))
  var folder: String

  @Flag(help: "Print the statements only.")
  var dryRun = false

  @Option(
    help: ArgumentHelp("Metadata in PostgreSQL: postgres://user@host/db.", valueName: "address"),
    transform: PostgresAddress.init(option:))
  var metadata: PostgresAddress?

  @OptionGroup var output: JSONOption

  func run() async throws {
    try await CommandEnd.onFailure { () throws(HostError) in
      let due = try await Migration.due(in: folder, metadata: metadata)
      if !dryRun, due.found < due.needed { try Migration.run(in: folder, metadata: metadata) }
      try CommandEnd.print(output.json ? due.json(isDry: dryRun) : due.text(isDry: dryRun))
    }
  }
}

extension Migration {
  func text(isDry: Bool) -> String {
    guard found < needed else { return "version \(found): nothing to do\n" }
    let line = "version \(found) to \(needed)\n"
    return isDry ? line + statements.map { $0 + ";\n" }.joined() : line
  }

  func json(isDry: Bool) -> String {
    JSONText.line { json in
      json.member("found", found)
      json.member("needed", needed)
      json.member("statements", statements) { $0.string($1) }
      json.member("changed", !isDry && found < needed)
    }
  }
}
#endif
