// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore
import FoveaTesting
import Testing

@testable import FoveaHost

@Suite struct LeadershipTests {
  private static let old = Timestamp(milliseconds: 0)
  private static let new = Timestamp(milliseconds: 1_000_000)

  /// Returns a store with one removable object, in which this many nodes have led.
  private func store(_ folder: TemporaryFolder, epoch: Int64) async throws -> MetadataStore {
    let store = try MetadataStore(path: folder["host.sqlite"])
    try await store.put(MetadataStoreSuite.object("a", 1, created: 1))
    try await store.write { database in
      // A file of SQLite has no nodes, and so no such table.
      try database.execute("CREATE TABLE leader (epoch INTEGER NOT NULL)")
      try database.execute("INSERT INTO leader (epoch) VALUES (?)", [epoch])
    }
    return store
  }

  @Test(arguments: [(2, 2, false), (1, 2, true), (3, 2, true), (0, 0, false)] as [(Int64, Int64, Bool)])
  func `only the present leader removes rows`(own: Int64, present: Int64, isRefused: Bool) async throws {
    let folder = try TemporaryFolder()
    let store = try await store(folder, epoch: present)
    let leadership = Leadership(epoch: own)
    let found = await code { () throws(HostError) in
      try await store.removeObjects(before: Self.new, by: leadership)
    }
    #expect(found == (isRefused ? .conflict : nil))
    #expect(try await store.object(bucket: "b", name: "a") == nil || isRefused)
    #expect(await code { () throws(HostError) in try await store.check(leadership) } == found)
    let left = try await store.objects(bucket: "b", prefix: "", after: "", limit: 9)
    #expect(left.count == (isRefused ? 1 : 0))
  }

  @Test func `the error of a former leader names both`() async throws {
    let folder = try TemporaryFolder()
    let store = try await store(folder, epoch: 8)
    do throws(HostError) { try await store.check(Leadership(epoch: 7)) } catch {
      #expect(error.message == "This node led as number 7, and number 8 leads now")
      #expect(error.cause is LeadershipEnd)
    }
  }
}
#endif
