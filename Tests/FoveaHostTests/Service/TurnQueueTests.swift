// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore
import FoveaHost
import FoveaTesting
import Synchronization
import Testing

@Suite struct TurnQueueTests {
  /// Checks that end when they are released, and the order in which they started.
  final class Gate: Sendable {
    private let state = Mutex<(begun: [String], open: Set<String>)>(([], []))

    var begun: [String] { state.withLock { $0.begun } }

    func open(_ id: String) { state.withLock { _ = $0.open.insert(id) } }

    func check(_ id: String) async throws(HostError) {
      state.withLock { $0.begun.append(id) }
      while !state.withLock({ $0.open.contains(id) }) {
        do { try await Task.sleep(for: .milliseconds(1)) } catch {
          throw HostError(.cancelled, "gone", remedy: "")
        }
      }
    }
  }

  private static func begin(
    _ queue: TurnQueue, _ gate: Gate, _ id: String, of key: String
  ) -> Task<Result<Void, HostError>, Never> {
    Task {
      do throws(HostError) {
        try await queue.run(id, of: key) { () throws(HostError) in try await gate.check(id) }
        return .success(())
      } catch {
        return .failure(error)
      }
    }
  }

  /// Starts checks one after the other, so that their order is known.
  private static func fill(
    _ queue: TurnQueue, _ gate: Gate, _ ids: [String]
  ) async throws -> [Task<Result<Void, HostError>, Never>] {
    var tasks: [Task<Result<Void, HostError>, Never>] = []
    for id in ids {
      tasks.append(begin(queue, gate, id, of: String(id.prefix(1))))
      try await waitUntil("\(id) is in the queue") { queue.before(id) != nil || gate.begun.contains(id) }
    }
    return tasks
  }

  @Test func `a key that fills the queue keeps no other key waiting`() async throws {
    let (queue, gate) = (TurnQueue(of: .checks), Gate())
    let tasks = try await Self.fill(queue, gate, (1...12).map { "a\($0)" } + ["b1", "c1", "c2"])
    // Two run at once, one of each key.
    #expect(gate.begun == ["a1", "b1"])
    #expect(queue.before("a2") == 2 + 0 + 1 && queue.before("a12") == 2 + 10 + 2)
    #expect(queue.before("c1") == 2 + 0 + 1 && queue.before("b1") == nil && queue.before("none") == nil)
    // 'a1' never ends: the other slot serves all others.
    for id in ["b1", "c1", "c2"] {
      gate.open(id)
      try await waitUntil("\(id) has started") { gate.begun.contains(id) }
    }
    for task in tasks.suffix(3) { _ = try await task.value.get() }
    #expect(gate.begun == ["a1", "b1", "c1", "c2"])
    for id in 1...12 { gate.open("a\(id)") }
    for task in tasks { _ = try await task.value.get() }
    #expect(gate.begun.suffix(11) == (2...12).map { "a\($0)" })
  }

  @Test(
    arguments: [
      (["a1", "a2", "b1", "b2", "c1"], ["a1", "b1", "c1", "a2", "b2"]),
      (
        ["a1", "a2", "b1", "b2", "c1", "c2", "d1", "d2", "e1"],
        ["a1", "b1", "c1", "d1", "e1", "a2", "b2", "c2", "d2"]
      ),
    ] as [([String], [String])])
  func `a key with nothing running is served before the next file of the others`(
    _ came: [String], _ begun: [String]
  ) async throws {
    let (queue, gate) = (TurnQueue(of: .checks), Gate())
    let tasks = try await Self.fill(queue, gate, came)
    for (ended, id) in begun.enumerated() {
      try await waitUntil("two run, or the last ones") {
        gate.begun.count == min(ended + 2, begun.count)
      }
      gate.open(id)
    }
    for task in tasks { _ = try await task.value.get() }
    #expect(gate.begun == begun)
  }

  @Test func `a check whose caller has left is removed from the queue, or ends`() async throws {
    let (queue, gate) = (TurnQueue(of: .checks), Gate())
    let tasks = try await Self.fill(queue, gate, ["a1", "a2", "a3"])
    tasks[1].cancel()
    guard case .failure(let error) = await tasks[1].value else {
      Issue.record("a check cancelled in the queue has succeeded")
      return
    }
    #expect(error.code == .cancelled && queue.before("a2") == nil)
    tasks[0].cancel()
    _ = await tasks[0].value
    try await waitUntil("the next one has started") { gate.begun == ["a1", "a3"] }
    gate.open("a3")
    _ = try await tasks[2].value.get()
  }

  struct Full: Sendable, CustomTestStringConvertible {
    let testDescription: String
    var work = TurnQueue.Work.checks
    let limits: TurnQueue.Limits
    let present: [String]
    let next: String
    /// nil if it is admitted.
    let message: String?
  }

  static let full: [Full] = {
    var own = TurnQueue.Limits()
    own.ofKey = 2
    var all = TurnQueue.Limits()
    all.ofAll = 3
    return [
      Full(
        testDescription: "the share of a key", limits: own, present: ["a1", "a2"], next: "a3",
        message: "2 files of this key are waiting to be checked, the maximum"),
      Full(testDescription: "another key", limits: own, present: ["a1", "a2"], next: "b1", message: nil),
      Full(
        testDescription: "the share of all", limits: all, present: ["a1", "b1", "c1"], next: "d1",
        message: "3 files are waiting to be checked, the maximum"),
      Full(
        testDescription: "reads", work: .reads, limits: own, present: ["a1", "a2"], next: "a3",
        message: "2 files of this key are waiting to be read, the maximum"),
      Full(
        testDescription: "fetches of an address", work: .fetches, limits: own, present: ["a1", "a2"],
        next: "a3", message: "2 configurations of this address are waiting to be evaluated, the maximum"),
      Full(
        testDescription: "fetches of all", work: .fetches, limits: all, present: ["a1", "b1", "c1"],
        next: "d1", message: "3 configurations are waiting to be evaluated, the maximum"),
    ]
  }()

  @Test(arguments: full)
  func `a key has its share of the queue, and the queue has a limit`(row: Full) async throws {
    let (queue, gate) = (TurnQueue(of: row.work, limits: row.limits), Gate())
    let tasks = try await Self.fill(queue, gate, row.present)
    gate.open(row.next)
    for id in row.present where row.message == nil { gate.open(id) }
    let next = await Self.begin(queue, gate, row.next, of: String(row.next.prefix(1))).value
    switch next {
    case .success: #expect(row.message == nil)
    case .failure(let error):
      #expect(error.message == row.message && error.code == .rateLimited)
    }
    for id in row.present { gate.open(id) }
    for task in tasks { _ = try await task.value.get() }
  }
}
#endif
