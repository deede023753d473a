// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore
import FoveaTesting
import GRDB
import Testing

@testable import FoveaHost

@Suite struct ConfigStoreTests {
  let folder: TemporaryFolder
  var path: String { folder["host.sqlite"] }

  init() throws { folder = try TemporaryFolder() }

  private func draft(_ text: String = "{}", expected: Int? = nil) -> ConfigDraft {
    ConfigDraft(project: "demo", namespace: .apps, text: text, kind: .update, expected: expected)
  }

  private func entry(day: Double) -> AuditEntry {
    let time = Timestamp(milliseconds: 1_800_000_000_000).advanced(seconds: day * 86_400)
    return AuditEntry(time: time, actor: "ci", action: "config.publish", project: "demo")
  }

  /// The tables of the first version of the program.
  private static let first: Set = [
    "schema", "model", "usedID", "version", "audit", "object", "hostKey", "probe",
  ]

  @Test func `a database of an older program gets the tables of templates`() async throws {
    let old = try MetadataStore(path: path)
    try await old.create(HostSamples.model(), entry: HostSamples.entry())
    old.close()
    let sql =
      try await DatabaseQueue(path: path).read { database in
        try String.fetchAll(
          database, sql: "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'")
      }.filter { !Self.first.contains($0) }.map { "DROP TABLE \"\($0)\"; " }.joined()
      + "ALTER TABLE hostKey DROP COLUMN label; UPDATE schema SET number = 1"
    try await DatabaseQueue(path: path).write { database in
      // The data of the program's first version.
      try database.execute(sql: sql)
    }
    let store = try MetadataStore(path: path)
    #expect(try await store.models().count == 1)
    #expect(try await store.currentConfigs(project: "demo").isEmpty)
    let made = try await store.publish(draft(expected: 0), entry: entry(day: 0))
    #expect(made.version.number == 1)
    store.close()
    let again = try MetadataStore(path: path)
    #expect(try await again.currentConfigs(project: "demo") == [made])
  }

  @Test(arguments: TestDatabase.present)
  func `a publish for another version is rejected, and changes nothing`(database: TestDatabase) async throws {
    let store = try database.store(in: folder)
    let first = try await store.publish(draft("{}", expected: 0), entry: entry(day: 0))
    let error = await #expect(throws: HostError.self) {
      try await store.publish(draft("{\"a\": 1}", expected: 0), entry: entry(day: 0))
    }
    #expect(error?.code == .etagMismatch)
    #expect(
      error?.message
        == "The template was changed: version 1 is in force, the request is for version 0")
    #expect(try await store.currentConfigs(project: "demo") == [first])
    #expect(try await store.audit(project: "demo", model: nil, limit: 10).count == 1)
    let row = try #require(try await store.audit(project: "demo", model: nil, limit: 1).first)
    #expect(row.after == "firebase version 1")
    #expect(row.before == nil)
  }

  @Test(arguments: TestDatabase.present)
  func `three hundred versions are kept, and only the one in force for more than ninety days`(
    database: TestDatabase
  ) async throws {
    let store = try database.store(in: folder)
    for _ in 0..<305 { _ = try await store.publish(draft(), entry: entry(day: 0)) }
    var numbers = try await store.configVersions(project: "demo", namespace: .apps).map(\.number)
    #expect(numbers == Array((6...305).reversed()))
    #expect(try await store.config(project: "demo", namespace: .apps, number: 5) == nil)
    _ = try await store.publish(draft(), entry: entry(day: 90))
    #expect(try await store.configVersions(project: "demo", namespace: .apps).count == 300)
    _ = try await store.publish(draft(), entry: entry(day: 91))
    numbers = try await store.configVersions(project: "demo", namespace: .apps).map(\.number)
    #expect(numbers == [307, 306])
  }

  @Test(arguments: TestDatabase.present)
  func `namespaces and projects are isolated`(database: TestDatabase) async throws {
    let store = try database.store(in: folder)
    var other = draft("{\"server\": 1}")
    other.namespace = .servers
    _ = try await store.publish(draft(), entry: entry(day: 0))
    let made = try await store.publish(other, entry: entry(day: 0))
    #expect(made.version.number == 1)
    #expect(try await store.currentConfigs(project: "demo").count == 2)
    #expect(try await store.currentConfigs(project: "other").isEmpty)
    #expect(try await store.config(project: "other", namespace: .apps, number: 1) == nil)
  }

  @Test(arguments: TestDatabase.present)
  func `one of forty publishes for one version succeeds`(database: TestDatabase) async throws {
    let store = try database.store(in: folder)
    let count = await withTaskGroup(of: Bool.self) { group in
      for number in 0..<40 {
        group.addTask {
          await (try? store.publish(draft("{\"n\": \(number)}", expected: 0), entry: entry(day: 0))) != nil
        }
      }
      return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
    }
    #expect(count == 1)
  }
}
#endif
