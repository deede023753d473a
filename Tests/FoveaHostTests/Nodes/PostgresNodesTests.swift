// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore
import FoveaTesting
import Testing

@testable import FoveaHost

/// Two nodes on a database of the server at FOVEA_TEST_POSTGRES, which scripts/test-postgres sets; without it,
/// the tests have nothing to do.
@Suite struct PostgresNodesTests {
  @Test func `each change has the next number, and the other node hears of it`() async throws {
    let folder = try TemporaryFolder()
    guard let (first, second) = try TestDatabase.nodes(in: folder), let shared = second.shared else { return }
    let line = try PostgresLine(shared)
    let start = try await second.generation()
    try await first.create(HostSamples.model(), entry: HostSamples.entry())
    #expect(try await second.generation() == start + 1)
    let heard = try line.messages(within: 2_000) { false }
    #expect(heard == [.change(generation: start + 1, node: first.shared?.node ?? 0)])
    #expect(try line.generation() == start + 1)
    #expect(try line.time() > Timestamp(milliseconds: 1_700_000_000_000))
    // A change that is not stored has no number, and nothing is heard.
    await #expect(
      code { () throws(HostError) in
        try await first.create(HostSamples.model(), entry: HostSamples.entry())
      } == .alreadyExists)
    #expect(try await second.generation() == start + 1)
    #expect(try line.messages(within: 250) { false } == [])
    #expect(try line.messages(within: 60_000) { true } == [], "a wait that is stopped ends at once")
  }

  @Test func `a node reads tables to which a newer program has added`() async throws {
    let folder = try TemporaryFolder()
    guard let (first, second) = try TestDatabase.nodes(in: folder) else { return }
    try await first.create(HostSamples.model(), entry: HostSamples.entry())
    for number in 1...2 {
      #expect(try await second.models().count == 1)
      try await second.change(project: "demo", id: "1", entry: HostSamples.entry()) {
        $0.tags.append("a")
      }
      _ = try await first.write { try $0.execute("ALTER TABLE model ADD COLUMN later\(number) TEXT") }
    }
    #expect(try await second.models()[0].tags == ["a", "a"])
    try await second.change(project: "demo", id: "1", entry: HostSamples.entry()) { $0.tags = ["b"] }
    #expect(try await first.models()[0].tags == ["b"])
  }

  @Test func `changes of both nodes follow one another`() async throws {
    let folder = try TemporaryFolder()
    guard let (first, second) = try TestDatabase.nodes(in: folder) else { return }
    try await first.create(HostSamples.model(), entry: HostSamples.entry())
    try await withThrowingTaskGroup { group in
      for store in [first, second, first, second] {
        group.addTask {
          for _ in 0..<25 {
            try await store.change(project: "demo", id: "1", entry: HostSamples.entry()) {
              $0.tags.append("a")
            }
          }
        }
      }
      try await group.waitForAll()
    }
    #expect(try await first.models()[0].tags.count == 100)
    #expect(try await second.models()[0].revision == 101)
  }

  @Test func `one node leads until its connection ends`() async throws {
    let folder = try TemporaryFolder()
    guard let (first, second) = try TestDatabase.nodes(in: folder), let one = first.shared,
      let two = second.shared
    else { return }
    var line: PostgresLine? = try PostgresLine(one)
    let other = try PostgresLine(two)
    let led = try #require(try line?.lead())
    #expect(try other.lead() == nil)
    try await first.check(led)
    line = nil
    // The server ends the connection a moment later.
    var next: Leadership?
    for _ in 0..<200 where next == nil { next = try other.lead() }
    #expect(next == Leadership(epoch: led.epoch + 1))
    #expect(await code { () throws(HostError) in try await first.check(led) } == .conflict)
    #expect(
      await code { () throws(HostError) in
        try await first.removeOldOperations(by: led)
      } == .conflict)
  }

  @Test func `an operation is known to the other node, with the life of its node`() async throws {
    let folder = try TemporaryFolder()
    guard let (first, second) = try TestDatabase.nodes(in: folder), let one = first.shared,
      let two = second.shared
    else { return }
    let pending = SharedOperation(model: "birds", sender: "ci")
    #expect(try await second.operation("a") == nil)
    try await first.share("a", pending)
    #expect(try await second.operation("a")?.operation == pending)
    #expect(try await second.operation("a")?.isAlive == false)
    let line = try PostgresLine(one)
    #expect(try await second.operation("a")?.isAlive == true)
    var ended = pending
    ended.outcome = .published(version: 1, channel: "stable", isRepeated: false, before: nil)
    await first.keepEnd(of: "a", ended)
    // A row that arrives late does not undo the end.
    try await first.share("a", pending)
    #expect(try await second.operation("a")?.operation == ended)
    let listener = try PostgresLine(two)
    try await first.send(.cancel(operation: "a"))
    #expect(try listener.messages(within: 2_000) { false } == [.cancel(operation: "a")])
    withExtendedLifetime(line) {}
  }

  @Test func `a publish that has ended elsewhere has its version here, before the node hears of it`()
    async throws
  {
    let folder = try TemporaryFolder()
    guard let (first, second) = try TestDatabase.nodes(in: folder) else { return }
    let service = ModelService(
      project: "demo", metadata: second, blobs: try FolderBlobStore(folder: folder.path),
      catalogue: Catalogue(), checker: MarkCheck(), now: { Timestamp(milliseconds: 3_000) })
    let model = try HostSamples.published()
    try await first.create(model, entry: HostSamples.entry())
    let outcome = SharedOperation.Outcome.published(
      version: 1, channel: "stable", isRepeated: false, before: nil)
    try await first.share("a", SharedOperation(model: model.name, sender: "ci"))
    await first.keepEnd(of: "a", SharedOperation(model: model.name, sender: "ci", outcome: outcome))
    #expect(try await service.operation(elsewhere: "a")?.outcome == outcome)
    #expect(try service.model(model.name) == model)
  }

  @Test func `a node and a host that has its files in its folder do not share a database`() async throws {
    let folder = try TemporaryFolder()
    guard let (first, _) = try TestDatabase.nodes(in: folder), let shared = first.shared else { return }
    try await first.create(HostSamples.model(), entry: HostSamples.entry())
    let alone = PostgresDatabase(shared.servers.address, .alone)
    await #expect(throws: PostgresError.self) { try await alone.write { try $0.execute("SELECT 1") } }
    alone.close()
  }
}
#endif
