// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore
import FoveaTesting
import Testing

@testable import FoveaHost

@Suite struct PostgresTests {
  @Test(arguments: [
    ("postgres://app@db.example/fovea", nil), ("postgresql:///fovea?host=/run/postgresql", nil),
    ("postgres://app@a,b:5433/fovea?sslmode=verify-full", nil),
    ("", "does not start with postgres://"), ("mysql://a/b", "does not start with postgres://"),
    ("POSTGRES://a/b", "does not start with postgres://"),
    ("postgres://app:secret@db/fovea", "contains a password"),
    ("postgres://app:@db/fovea", "contains a password"),
    ("postgres://db/fovea?password=secret", "contains a password"),
    ("postgres://db/fovea?sslpassword=secret", "contains a password"),
  ])
  func `an address has the scheme and no password`(text: String, problem: String?) {
    do throws(HostError) {
      #expect(try PostgresAddress(text).text == text)
      #expect(problem == nil)
    } catch {
      #expect(error.code == .invalid && problem.map { error.message.contains($0) } == true, "\(error)")
      #expect(!error.description.contains("secret"))
    }
  }

  @Test func `of several servers the one that can be written is used`() throws {
    let one = try PostgresAddress("postgres://app@db/fovea?application_name=a,b").parameters
    let two = try PostgresAddress("postgres://app@db,standby/fovea").parameters
    #expect(!one.contains { $0.0 == "target_session_attrs" })
    #expect(two.contains { $0 == ("target_session_attrs", "read-write") })
    #expect(two.last?.0 == "dbname")
  }

  @Test(arguments: [
    ("postgres://app@db/fovea?a=b,c", ["postgres://app@db/fovea?a=b,c"]),
    ("postgres:///fovea", ["postgres:///fovea"]),
    ("postgres://a@b@db,s:5433/f?x=y", ["postgres://a@b@db/f?x=y", "postgres://a@b@s:5433/f?x=y"]),
    ("postgresql://db,[::1]:5", ["postgresql://db", "postgresql://[::1]:5"]),
    ("postgres://app@a,,c/f", ["postgres://app@a/f", "postgres://app@/f", "postgres://app@c/f"]),
  ])
  func `each of several servers has an address`(text: String, expected: [String]) throws {
    let servers = try PostgresAddress(text).servers
    #expect(servers.map(\.text) == expected)
    let isOfSeveral = servers.map { $0.parameters.contains { $0.0 == "target_session_attrs" } }
    #expect(isOfSeveral == expected.map { _ in expected.count > 1 })
  }

  @Test(arguments: [
    ("00000001", nil, true), ("00000002", "00000002", true), ("00000010", "0000000F", true), ("", "", true),
    ("00000001", "00000002", false), ("0000000F", "00000010", false), ("", "00000001", false),
  ])
  func `a server with a lower timeline is refused`(timeline: String, before: String?, isRight: Bool) throws {
    let server = try PostgresAddress("postgres://app@old/fovea")
    do {
      try PostgresServers.check(timeline, since: before, at: server)
      #expect(isRight)
    } catch {
      #expect(!isRight)
      let shown = HostError(database: error)
      #expect(shown.code == .unavailable && shown.message.contains("older copy"))
      #expect(shown.subject?.hasPrefix("postgres://app@old/fovea (timeline") == true)
    }
  }

  @Test(arguments: [
    (["25006", "08001"], "08001"), (["08001", "25006"], "08001"), (["28P01", "08001"], "28P01"),
    (["25006"], "25006"),
  ])
  func `a standby is not the reason why no server is found`(codes: [String], expected: String) {
    let failures = codes.map { PostgresError(code: $0, message: "", place: "") }
    #expect((PostgresServers.cause(of: failures) as? PostgresError)?.code == expected)
  }

  @Test(arguments: [
    ("SELECT 1", "SELECT 1"), ("a = ? AND b IN (?, ?)", "a = $1 AND b IN ($2, $3)"),
    ("+project = ? AND a LIKE ?", "project = $1 AND a ILIKE $2"), ("", ""),
  ])
  func `parameters are numbered`(sql: String, expected: String) {
    #expect(PostgresDialect.statement(sql) == expected)
  }

  @Test func `the tables have types of 64 bits and no words of SQLite`() {
    for statement in DatabaseSchema.steps.joined().map(PostgresDialect.table) {
      for word in ["INTEGER", "REAL", "STRICT", "ROWID", "AUTOINCREMENT"] {
        #expect(!statement.contains(word), "\(statement)")
      }
    }
  }

  @Test(arguments: [
    (
      "connection to server at \"db\", port 5432 failed: FATAL:  28P01: password failed LOCATION:  x",
      "28P01"
    ),
    (
      "connection to server at \"db\", port 5432 failed: FATAL:  3D000: database \"a\" does not exist",
      "3D000"
    ),
    ("connection to server at \"db\", port 5432 failed: session is read-only", "25006"),
    ("connection to server at \"db\", port 5432 failed: Connection refused", "08001"),
    ("could not translate host name \"ABC12: x\"", "08001"), ("", "08001"),
  ])
  func `a failure to connect has the code of the server`(text: String, code: String) {
    let error = PostgresError(connecting: text, to: "postgres://db/a")
    #expect(error.code == code)
    #expect(!error.message.contains("LOCATION"))
  }

  @Test(arguments: [
    ("28P01", HostCode.unavailable), ("3D000", .unavailable), ("25006", .unavailable),
    ("42501", .unavailable),
    ("53100", .diskFull), ("40001", .unavailable), ("22021", .invalid), ("57P01", .unavailable),
    ("08006", .unavailable), ("23505", .inner), ("XX000", .inner),
  ])
  func `the server's text is only in the subject`(code: String, expected: HostCode) {
    let error = HostError(
      database: PostgresError(code: code, message: "of the server", place: "postgres://db/a"))
    #expect(error.code == expected)
    #expect(!error.message.contains("of the server") && !error.remedy.description.contains("db/a"))
    #expect(error.subject == "postgres://db/a (of the server)")
    #expect(!error.isOfDamagedContent)
  }
}

@Suite struct DatabaseLossTests {
  @Test(arguments: TestDatabase.present)
  func `a backup is a file of SQLite`(database: TestDatabase) async throws {
    let folder = try TemporaryFolder()
    let store = try database.store(in: folder)
    try await store.create(HostSamples.published(), entry: HostSamples.entry())
    try await store.put(MetadataStoreSuite.object("a", 1, created: 1))
    try await store.backUp(to: folder["copy.sqlite"])
    let copy = try MetadataStore(path: folder["copy.sqlite"], creates: false)
    #expect(try await copy.models() == store.models())
    #expect(try await copy.audit(project: "demo", model: nil, limit: 9).count == 1)
    #expect(try await copy.problems() == [])
  }

  @Test(arguments: TestDatabase.present)
  func `a lost connection is replaced, and a change runs once`(database: TestDatabase) async throws {
    let folder = try TemporaryFolder()
    let store = try database.store(in: folder)
    try await store.create(HostSamples.model(), entry: HostSamples.entry())
    for _ in 0..<3 {
      // All connections to this database end; SQLite has none, and refuses the statement.
      _ = try? await store.write {
        try $0.execute(
          "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database()")
      }
      try await store.change(project: "demo", id: "1", entry: HostSamples.entry()) {
        $0.tags.append("a")
      }
    }
    #expect(try await store.models()[0].tags == ["a", "a", "a"])
    #expect(await store.writeProblem() == nil)
  }
}
#endif
