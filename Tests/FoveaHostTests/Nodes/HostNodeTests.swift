// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore
import FoveaHTTP
import Synchronization
import Testing

@testable import FoveaHost

@Suite struct HostNodeTests {
  let nodes = TestNodes()
  let node: HostNode

  init() async throws {
    node = nodes.node()
    nodes.set(generation: 5)
    try await node.start { () throws(HostError) in }
    node.setConnected(true)
  }

  struct Announcement: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let generation: Int64
    var isOwn = false
    let reloads: Int
  }

  @Test(arguments: [
    Announcement(testDescription: "another node's change", generation: 6, reloads: 1),
    Announcement(testDescription: "a change after a gap", generation: 9, reloads: 1),
    Announcement(testDescription: "its own change", generation: 6, isOwn: true, reloads: 0),
    Announcement(
      testDescription: "its own change after another one's", generation: 7, isOwn: true, reloads: 1),
    Announcement(testDescription: "a known change", generation: 5, reloads: 0),
    Announcement(testDescription: "an old change", generation: 1, reloads: 0),
    Announcement(testDescription: "the largest number", generation: .max, reloads: 1),
  ])
  func `a change is read unless the node has made it`(row: Announcement) async {
    nodes.set(generation: max(row.generation, 5))
    await node.hear(row.generation, isOwn: row.isOwn)
    #expect(nodes.reloads == row.reloads)
    await node.hear(row.generation, isOwn: row.isOwn)
    #expect(nodes.reloads == row.reloads, "once")
  }

  @Test(arguments: [(5, 0), (6, 1), (4, 1)] as [(Int64, Int)])
  func `a comparison finds a change whose notification was lost`(generation: Int64, reloads: Int) async {
    nodes.set(generation: generation)
    await node.confirm(generation, at: nodes.state.withLock { $0.time })
    #expect(nodes.reloads == reloads)
    await node.catchUp()
    #expect(nodes.reloads == reloads)
  }

  @Test func `after an outage everything is read again, even without a new change`() async {
    await node.catchUp()
    #expect(nodes.reloads == 0)
    node.doubt()
    await node.catchUp()
    await node.catchUp()
    #expect(nodes.reloads == 1)
  }

  @Test func `a doubt during a comparison leads to another one`() async {
    nodes.set(generation: 6)
    nodes.reloading.withLock { [node] in $0 = { node.doubt() } }
    await node.catchUp()
    nodes.reloading.withLock { $0 = {} }
    await node.catchUp()
    #expect(nodes.reloads == 2)
  }

  @Test func `a failed reload is repeated, and the memory grows old`() async {
    nodes.set(generation: 6)
    nodes.set(isLost: true)
    nodes.advance(seconds: 11)
    await node.catchUp()
    #expect(node.age == 11)
    nodes.set(isLost: false)
    await node.catchUp()
    #expect(node.age == nil)
    #expect(nodes.reloads == 1)
  }

  @Test func `what cannot be decoded is reported once, and read again until it can be`() async {
    nodes.set(generation: 6)
    for (message, reports) in [("one", ["one"]), ("two", ["one", "two"])] {
      nodes.set(fault: HostError(.unavailable, message, remedy: "Update this node"))
      for _ in 0..<2 { await node.catchUp() }
      #expect(node.fault?.message == message && nodes.state.withLock { $0.reported } == reports)
      #expect(node.faultRefusal?.message == message)
    }
    #expect(nodes.reloads == 4)
    nodes.advance(seconds: 11)
    await node.catchUp()
    #expect(node.age == 11)
    #expect(node.refusal(at: 60) == nil && node.refusal(at: 61)?.message == "two")
    nodes.set(fault: nil)
    await node.catchUp()
    #expect(node.fault == nil && node.faultRefusal == nil && node.age == nil)
    await node.catchUp()
    #expect(nodes.reloads == 6)
  }

  @Test func `concurrent callers share comparisons`() async {
    nodes.set(generation: 6)
    await withTaskGroup { group in
      for _ in 0..<100 { group.addTask { [node] in await node.catchUp() } }
    }
    #expect(nodes.reloads == 1)
  }

  @Test func `a node that hears nothing does not wait for the database`() async {
    node.setConnected(false)
    nodes.set(generation: 6)
    await node.catchUp()
    #expect(nodes.reloads == 0)
    await node.compare()
    #expect(nodes.reloads == 1)
  }

  @Test(
    arguments: [(true, 0, nil), (true, 10, nil), (true, 11, 11), (false, 0, 1), (false, 3, 3)]
      as [(Bool, Int, Int?)])
  func `the age is that of the last comparison`(isConnected: Bool, seconds: Int, age: Int?) async {
    node.setConnected(isConnected)
    nodes.advance(seconds: seconds)
    #expect(node.age == age)
    await node.confirm(5, at: nodes.state.withLock { $0.time })
    #expect(node.age == (isConnected ? nil : 1))
  }

  @Test func `a change waits for the other nodes, but not for one that is gone`() async {
    #expect(await node.settle(), "no other node")
    node.hear(peer: 2, has: 5)
    node.hear(peer: 3, has: 4)
    #expect(await !node.settle(), "a node that hears nothing is waited for no longer than half a second")
    nodes.set(generation: 6)
    async let settled = node.settle()
    node.hear(peer: 3, has: 6)
    node.hear(peer: 2, has: 7)
    #expect(await settled)
    nodes.set(generation: 8)
    nodes.advance(seconds: 4)
    node.hear(peer: 2, has: 8)
    #expect(await !node.settle())
    nodes.advance(seconds: 1)
    #expect(await node.settle(), "the third node was not heard of for five seconds")
    nodes.set(isLost: true)
    node.hear(peer: 2, has: 8)
    #expect(await !node.settle(), "the database is not asked for long")
  }

  @Test func `a node that loses its connection leads no more`() {
    #expect(node.role == .follower)
    node.lead(by: Leadership(epoch: 3))
    #expect(node.role == .leader(Leadership(epoch: 3)))
    node.setConnected(false)
    #expect(node.role == .follower)
    node.setConnected(true)
    #expect(node.role == .follower)
  }

  @Test(
    arguments: [
      ("change 7 12", .change(generation: 7, node: 12)), ("change 7", nil), ("change x 1", nil),
      ("change 7 12 13", nil), ("", nil), ("   ", nil), ("other 1 2", nil),
      ("change 99999999999999999999 1", nil), ("have 7 12", .have(generation: 7, node: 12)),
      ("have 7", nil), ("have x 1", nil),
    ] as [(String, PostgresLine.Message?)])
  func `messages of unknown forms are ignored`(text: String, message: PostgresLine.Message?) {
    #expect(PostgresLine.Message(text) == message)
  }
}
#endif
