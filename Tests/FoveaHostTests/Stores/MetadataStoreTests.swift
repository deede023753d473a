// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore
import FoveaTesting
import GRDB
import Testing

@testable import FoveaHost

@Suite struct MetadataStoreTests {
  let folder: TemporaryFolder
  var path: String { folder["host.sqlite"] }

  init() throws { folder = try TemporaryFolder() }

  @Test(arguments: MetadataStoreSuite.cases, TestDatabase.present)
  func `each database passes each check for metadata stores`(
    row: MetadataStoreSuite.Case, database: TestDatabase
  ) async throws {
    try await row.check(database.store(in: folder))
  }

  @Test func `everything survives reopening`() async throws {
    let model = try HostSamples.published()
    do {
      let store = try MetadataStore(path: path)
      try await store.create(model, entry: HostSamples.entry())
      store.close()
      await #expect(code { () throws(HostError) in _ = try await store.models() } != nil)
    }
    #expect(try await MetadataStore(path: path).models() == [model])
  }

  @Test func `only its owner can read the database, and commits are synced`() async throws {
    let store = try MetadataStore(path: path)
    try await store.create(HostSamples.model(), entry: HostSamples.entry())
    for ending in ["", "-wal", "-shm"] {
      #expect(FileStatus(FilePath(path + ending))?.permissions == 0o600)
    }
    let mode = try await DatabaseQueue(path: path).read {
      try String.fetchOne($0, sql: "PRAGMA journal_mode")
    }
    #expect(mode == "wal")
    #expect(try await store.write { try $0.value(Int.self, "PRAGMA synchronous") } == 2)
  }

  @Test func `a newer database is rejected with a remedy`() throws {
    try MetadataStore(path: path).close()
    try DatabaseQueue(path: path).write { try $0.execute(sql: "UPDATE schema SET number = 99") }
    let error = #expect(throws: HostError.self) { try MetadataStore(path: path) }
    #expect(
      error?.message.hasPrefix("The database has version 99; this program supports versions up to ") == true)
    #expect(error?.remedy.description == "Use the fovea-server that wrote it, or a newer one")
    #expect(error?.code == .folder)
  }

  @Test func `another program's database is rejected`() throws {
    try DatabaseQueue(path: path).write { try $0.execute(sql: "CREATE TABLE photos (id INTEGER)") }
    #expect(throws: HostError.self) { try MetadataStore(path: path) }
  }

  @Test(arguments: [0, 1, 100, 5_000])
  func `a file that is not a database is damaged, without a crash`(count: Int) throws {
    try folder.write("host.sqlite", [UInt8](repeating: 0x41, count: count))
    let error = #expect(throws: HostError.self) { try MetadataStore(path: path, creates: false) }
    #expect(error?.code == .unavailable)
    #expect(error?.message == "The database is damaged")
  }

  @Test func `a missing folder does not crash`() {
    #expect(throws: HostError.self) { try MetadataStore(path: path + "/x/y") }
  }

  @Test func `damaged pages are found, and nothing crashes`() async throws {
    do {
      let store = try MetadataStore(path: path)
      for id in 1...60 {
        var model = HostSamples.model("m\(id)", id: "\(id)")
        for number in 1...20 { model.add(HostSamples.file(number)) }
        try await store.create(model, entry: HostSamples.entry())
      }
      store.close()
    }
    let bytes = try SmallFile.bytes(of: path, limit: 1 << 24)
    var random = SeededGenerator(seed: 7)
    var found = 0
    for _ in 0..<20 {
      var damaged = bytes
      let page = 1 + random.below(bytes.count / 4096 - 1)
      for index in page * 4096..<page * 4096 + 4096 { damaged[index] = UInt8(random.below(256)) }
      try folder.write("host.sqlite", damaged)
      for ending in ["-wal", "-shm"] { unsafe unlink(path + ending) }
      do throws(HostError) {
        let store = try MetadataStore(path: path)
        if try await !store.problems().isEmpty { found += 1 }
        _ = try await store.models()
        store.close()
      } catch {
        #expect(error.code == .unavailable, "\(error)")
        found += 1
      }
    }
    #expect(found >= 18, "an unused page is not a problem")
  }

  @Test func `another process's lock is unavailable, and temporary`() async throws {
    let store = try MetadataStore(path: path, patience: 0.05)
    var configuration = Configuration()
    configuration.allowsUnsafeTransactions = true
    let other = try DatabaseQueue(path: path, configuration: configuration)
    try await other.writeWithoutTransaction { try $0.execute(sql: "BEGIN IMMEDIATE") }
    await #expect(
      code { () throws(HostError) in
        try await store.create(HostSamples.model(), entry: HostSamples.entry())
      } == .unavailable)
    #expect(try await store.models() == [], "reading continues")
    #expect(await store.writeProblem()?.message == "Another program has locked the database")
    #expect(await store.readProblem() == nil)
    try await other.writeWithoutTransaction { try $0.execute(sql: "ROLLBACK") }
    #expect(await store.writeProblem() == nil)
    try await store.create(HostSamples.model(), entry: HostSamples.entry())
  }

  @Test func `a backup is a complete store, made while others write`() async throws {
    let store = try MetadataStore(path: path)
    for id in 1...20 {
      try await store.create(HostSamples.model("m\(id)", id: "\(id)"), entry: HostSamples.entry())
    }
    async let writing: Void = {
      for id in 21...60 {
        try await store.create(HostSamples.model("m\(id)", id: "\(id)"), entry: HostSamples.entry())
      }
    }()
    try await store.backUp(to: folder["copy.sqlite"])
    try await writing
    #expect(try folder.names().filter { $0.hasPrefix("copy") } == ["copy.sqlite"])
    let copy = try MetadataStore(path: folder["copy.sqlite"])
    let names = try await copy.models().map(\.name)
    #expect((20...60).contains(names.count) && names == (1...names.count).map { "m\($0)" })
    #expect(try await copy.problems() == [])
    await #expect(
      code { () throws(HostError) in
        try await store.backUp(to: folder["copy.sqlite"])
      } == .invalid)
    await #expect(
      code { () throws(HostError) in
        try await store.backUp(to: folder["no/such/folder"])
      } == .unavailable)
  }
}
#endif
