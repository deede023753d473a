// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore
import FoveaTesting
import GRDB
import Testing

@testable import FoveaHost

@Suite struct TableCopyTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// More rows than a page has, null and empty texts, and a table without a key of its own.
  private func filled() async throws -> MetadataStore {
    let store = try MetadataStore(path: folder["a.sqlite"])
    try await store.create(HostSamples.published(), entry: HostSamples.entry("model.create"))
    for role in HostKey.Role.allCases {
      try await store.add(MetadataStoreSuite.key(role), entry: HostSamples.entry("key.add", model: nil))
    }
    try await store.put(MetadataStoreSuite.object("", 1, created: 1))
    try await store.write { database in
      for number in 0..<4_500 {
        try database.execute("INSERT INTO countedEvent (generation, id) VALUES (?, ?)", [1, number])
      }
      try database.execute(
        """
        INSERT INTO experiment (project, id, created, updated, revision, state)
        VALUES ('demo', 'e', 1, 1, 1, '')
        """
      )
      for value in [0, -0.0, 1.5, .greatestFiniteMagnitude] {
        try database.execute(
          "INSERT INTO waitingValue (experiment, unit, generation, time, value) VALUES (1, 7, 1, 1, ?)",
          [value])
      }
    }
    return store
  }

  private func text(_ store: MetadataStore) async throws -> [String] {
    try await store.read { database in
      try TableCopy.tables.flatMap { table in
        try database.rows("SELECT * FROM \(table.name) ORDER BY \(table.key.joined(separator: ", "))")
          .map { "\(table.name) \($0)" }
      }
    }
  }

  @Test func `a copy has each row once`() async throws {
    let source = try await filled()
    let target = try MetadataStore(path: folder["b.sqlite"])
    let file = try #require(source.database as? SQLiteDatabase)
    for _ in 0..<2 {
      try await target.write { target in
        try TableCopy.clear(target)
        try file.pool.read { try TableCopy.copy(SQLiteConnection(database: $0), to: target) }
      }
      let rows = try await text(source)
      #expect(rows.count > 4_500)
      #expect(try await text(target) == rows)
    }
    #expect(try await target.models() == source.models())
  }

  @Test func `every table of the schema is copied`() async throws {
    let store = try MetadataStore(path: folder["a.sqlite"])
    let tables = try await store.read {
      try $0.values(
        String.self, "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'")
    }
    #expect(Set(tables) == Set(TableCopy.tables.map(\.name)).union(["schema", "probe"]))
  }
}
#endif
