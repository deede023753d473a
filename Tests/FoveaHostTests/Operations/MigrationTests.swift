// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore
import FoveaTesting
import GRDB
import Testing

@testable import FoveaHost

@Suite struct MigrationTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// Creates a host's folder whose tables have this version.
  private func make(version: Int) async throws {
    try HostFolder.prepare(folder["host"])
    let queue = try DatabaseQueue(path: folder["host/host.sqlite"])
    try await queue.write { database in
      for statement in DatabaseSchema.steps[..<version].joined() { try database.execute(sql: statement) }
      try database.execute(sql: "INSERT INTO schema (number) VALUES (?)", arguments: [version])
    }
    try queue.close()
    try HostSettings(project: "demo", url: "http://h").write(folder["host/host.json"])
  }

  @Test(arguments: 1...DatabaseSchema.number)
  func `a dry run lists what a migration does, and changes nothing`(version: Int) async throws {
    try await make(version: version)
    let expected = Migration(
      found: version, needed: DatabaseSchema.number,
      statements: Array(DatabaseSchema.steps[version...].joined()))
    for _ in 0..<2 {
      #expect(try await Migration.due(in: folder["host"], metadata: nil) == expected)
    }
    try Migration.run(in: folder["host"], metadata: nil)
    let after = try await Migration.due(in: folder["host"], metadata: nil)
    #expect(after == Migration(found: DatabaseSchema.number, needed: DatabaseSchema.number, statements: []))
    let host = try HostFolder(folder["host"])
    defer { withExtendedLifetime(host) {} }
    #expect(try await host.metadata.models() == [])
  }

  @Test func `a dry run reads the tables of a host that serves, and a migration is refused`() async throws {
    try await make(version: DatabaseSchema.number)
    let host = try HostFolder(folder["host"])
    #expect(try await Migration.due(in: host.path, metadata: nil).statements == [])
    #expect(throws: HostError.self) { try Migration.run(in: host.path, metadata: nil) }
  }

  @Test func `newer tables, another program's and none are refused`() async throws {
    let path = folder["host"]
    try await make(version: 1)
    for (statement, message) in [
      ("UPDATE schema SET number = 99", "The database has version 99"),
      ("DROP TABLE hostKey", "does not belong to a model host"),
    ] {
      let queue = try DatabaseQueue(path: folder["host/host.sqlite"])
      try await queue.write { try $0.execute(sql: statement) }
      try queue.close()
      let error = await #expect(throws: HostError.self) {
        _ = try await Migration.due(in: path, metadata: nil)
      }
      #expect(error?.code == .folder && error?.message.contains(message) == true)
    }
    try #require(unsafe unlink(folder["host/host.sqlite"]) == 0)
    let missing = await #expect(throws: HostError.self) {
      _ = try await Migration.due(in: path, metadata: nil)
    }
    #expect(missing?.message == "The database is missing")
    #expect(!folder.exists("host/host.sqlite"))
  }

  @Test(arguments: TestDatabase.present)
  func `the tables of a database are read in its dialect`(database: TestDatabase) async throws {
    let host = try await HostCopyTests.make(in: folder.path)
    let address = try database.address()
    _ = try await HostCopyTests.copy(host, to: folder["there"], metadata: address)
    let due = try await Migration.due(in: folder["there"], metadata: nil)
    #expect(due.found == DatabaseSchema.number && due.statements == [])
    guard let address else { return }
    try PostgresConnection(address).execute("UPDATE schema SET number = ?", [DatabaseSchema.number - 1])
    let statements = try await Migration.due(in: folder["there"], metadata: address).statements
    #expect(statements == DatabaseSchema.steps.last.map { $0.map(PostgresDialect.table) })
  }
}
#endif
