// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaHTTP
import FoveaTesting
import HTTPTypes
import Synchronization
import Testing

@testable import FoveaInference

@Suite struct SchedulerTests {
  private static func start(
    _ scheduler: Scheduler, _ gate: CallGate, _ client: String, limit: Duration = .seconds(3_600)
  ) async throws -> Task<String?, Never> {
    let before = scheduler.counts
    let task = Task { () -> String? in
      do {
        _ = try await scheduler.run(for: client, within: limit) { await gate.hold(client) }
        return nil
      } catch let refusal as Refusal { return refusal.code } catch { return "cancelled" }
    }
    try await waitUntil("the call is in its place") {
      scheduler.counts.waiting + scheduler.counts.running > before.waiting + before.running
    }
    return task
  }

  @Test func `no more calls run than there are slots, and queues are served in turn`() async throws {
    let scheduler = Scheduler(slots: 1, places: 10)
    let gate = CallGate()
    var tasks: [Task<String?, Never>] = []
    for client in ["a", "a", "a", "b", "c", "b"] {
      tasks.append(try await Self.start(scheduler, gate, client))
    }
    #expect(scheduler.counts.running == 1 && scheduler.counts.waiting == 5)
    for count in 1...6 {
      try await waitUntil("the next one starts") { gate.begun.withLock { $0.count == count } }
      gate.letOneGo()
    }
    for task in tasks { #expect(await task.value == nil) }
    #expect(gate.begun.withLock { $0 } == ["a", "a", "b", "c", "a", "b"])
    #expect(scheduler.counts.running == 0 && scheduler.counts.waiting == 0)
  }

  @Test func `a full queue is rejected, and half of it is the most for one of several`() async throws {
    let scheduler = Scheduler(slots: 1, places: 4)
    let gate = CallGate()
    var tasks: [Task<String?, Never>] = []
    for client in ["a", "b", "a", "a"] { tasks.append(try await Self.start(scheduler, gate, client)) }
    let share = await #expect(throws: Refusal.self) {
      try await scheduler.run(for: "a", within: .seconds(3_600)) {}
    }
    #expect(share?.code == "share-used" && share?.status.code == 429)
    tasks.append(try await Self.start(scheduler, gate, "c"))
    let full = await #expect(throws: Refusal.self) {
      try await scheduler.run(for: "d", within: .seconds(3_600)) {}
    }
    #expect(full?.code == "server-busy" && full?.status.code == 503)
    #expect(full?.headers[.retryAfter] != nil)
    for count in 1...5 {
      try await waitUntil("the next one starts") { gate.begun.withLock { $0.count == count } }
      gate.letOneGo()
    }
    for task in tasks { #expect(await task.value == nil) }
  }

  @Test func `a single client may fill the queue`() async throws {
    let scheduler = Scheduler(slots: 1, places: 3)
    let gate = CallGate()
    var tasks: [Task<String?, Never>] = []
    for _ in 0..<4 { tasks.append(try await Self.start(scheduler, gate, "a")) }
    for count in 1...4 {
      try await waitUntil("the next one starts") { gate.begun.withLock { $0.count == count } }
      gate.letOneGo()
    }
    for task in tasks { #expect(await task.value == nil) }
  }

  @Test func `a call that waits past its deadline, or is cancelled, leaves its place`() async throws {
    let scheduler = Scheduler(slots: 1, places: 4)
    let gate = CallGate()
    let first = try await Self.start(scheduler, gate, "a")
    try await waitUntil("it runs") { gate.begun.withLock { $0.count } == 1 }
    // Its time may be up before anyone sees it wait.
    let late = await #expect(throws: Refusal.self) {
      try await scheduler.run(for: "b", within: .milliseconds(50)) {}
    }
    #expect(late?.code == "deadline-exceeded")
    #expect(scheduler.counts.waiting == 0)
    let left = try await Self.start(scheduler, gate, "c")
    left.cancel()
    #expect(await left.value == "cancelled")
    #expect(scheduler.counts.waiting == 0 && scheduler.counts.running == 1)
    gate.letOneGo()
    #expect(await first.value == nil)
    #expect(scheduler.counts.running == 0)
  }

  @Test func `a call that runs past its deadline is cancelled and frees its slot`() async throws {
    let scheduler = Scheduler(slots: 1)
    let refusal = await #expect(throws: Refusal.self) {
      try await scheduler.run(for: "a", within: .milliseconds(50)) {
        try await Task.sleep(for: .seconds(3_600))
      }
    }
    #expect(refusal?.code == "deadline-exceeded" && refusal?.status.code == 504)
    #expect(scheduler.counts.running == 0)
  }

  @Test func `endless work is answered at its deadline, and others get its slot`() async throws {
    let scheduler = Scheduler(slots: 2, patience: .seconds(3_600))
    let gate = CallGate()
    // It does not react to cancellation, like a decoder.
    let held = try await [
      Self.start(scheduler, gate, "a", limit: .seconds(2)),
      Self.start(scheduler, gate, "a", limit: .seconds(2)),
    ]
    try await waitUntil("both have started") { gate.begun.withLock { $0.count } == 2 }
    // A waiting call gets a slot that is passed on.
    #expect(try await scheduler.run(for: "b", within: .seconds(3_600)) { 7 }.value == 7)
    for task in held { #expect(await task.value == "deadline-exceeded") }
    for _ in 0..<3 { #expect(try await scheduler.run(for: "b", within: .seconds(3_600)) { 7 }.value == 7) }
    // Its own further calls are refused meanwhile.
    let share = await #expect(throws: Refusal.self) {
      try await scheduler.run(for: "a", within: .seconds(3_600)) {}
    }
    #expect(share?.code == "share-used" && share?.status.code == 429)
    #expect(scheduler.refusal(for: "a", within: .seconds(3_600))?.code == "share-used")
    #expect(scheduler.refusal(for: "b", within: .seconds(3_600)) == nil)
    gate.letOneGo()
    gate.letOneGo()
    try await waitUntil("all have ended") { scheduler.counts.running == 0 }
    #expect(try await scheduler.run(for: "a", within: .seconds(3_600)) { 7 }.value == 7)
    // No slot was lost or gained.
    let full = [try await Self.start(scheduler, gate, "c"), try await Self.start(scheduler, gate, "c")]
    let waiting = try await Self.start(scheduler, gate, "c")
    #expect(scheduler.counts.running == 2 && scheduler.counts.waiting == 1)
    // Two have started before, and those of "c" that have slots.
    for count in 4...5 {
      try await waitUntil("the next one starts") { gate.begun.withLock { $0.count == count } }
      gate.letOneGo()
    }
    gate.letOneGo()
    for task in full + [waiting] { #expect(await task.value == nil) }
  }

  struct LateWork: Sendable, CustomTestStringConvertible {
    let slots: Int
    /// The number of the client's calls past their deadline; it has all slots.
    let late: Int
    /// Whether its waiting calls are rejected then.
    let isRefused: Bool
    var testDescription: String { "\(late) late, \(slots) slots" }
  }

  static let lateWork = [
    LateWork(slots: 1, late: 1, isRefused: true), LateWork(slots: 2, late: 1, isRefused: true),
    LateWork(slots: 2, late: 2, isRefused: true), LateWork(slots: 4, late: 1, isRefused: false),
    LateWork(slots: 4, late: 2, isRefused: true), LateWork(slots: 4, late: 4, isRefused: true),
  ]

  @Test(arguments: lateWork)
  func `slots of a client's late calls do not go to its own waiting calls`(
    row: LateWork
  ) async throws {
    let scheduler = Scheduler(slots: row.slots, patience: .seconds(3_600))
    let gate = CallGate()
    var work: [(id: Int, task: Task<Void, Never>)] = []
    for _ in 0..<row.slots {
      let id = scheduler.newNumber()
      let task = Task<Void, Never> {
        _ = try? await scheduler.inSlot(
          id, for: "a", within: .seconds(3_600), since: .now, Scheduler.Expiry(),
          { await gate.hold("a") })
      }
      work.append((id, task))
    }
    try await waitUntil("all slots are taken") { gate.begun.withLock { $0.count } == row.slots }
    var own: [Task<String?, Never>] = []
    for _ in 0..<6 { own.append(try await Self.start(scheduler, gate, "a")) }
    let other = try await Self.start(scheduler, gate, "b")
    let late = work.prefix(row.late).map { ($0.id, $0.task) }
    await scheduler.abandon(Dictionary(uniqueKeysWithValues: late), end: .now)
    try await waitUntil("the other one has a slot, and the queue has the right length") {
      gate.begun.withLock { $0.contains("b") } && scheduler.counts.waiting == (row.isRefused ? 0 : 6)
    }
    #expect(gate.begun.withLock { $0.count } == row.slots + 1)
    if row.isRefused {
      for task in own { #expect(await task.value == "share-used") }
      // Nor does one that already has its place, as the next part of a call.
      let part = await #expect(throws: Refusal.self) {
        try await scheduler.inSlot(
          scheduler.newNumber(), for: "a", within: .seconds(3_600), since: .now, Scheduler.Expiry(),
          hasPlace: true, {})
      }
      #expect(part?.code == "share-used")
    }
    try await waitUntil("all have ended") {
      gate.letOneGo()
      return scheduler.counts.running == 0 && scheduler.counts.waiting == 0
    }
    #expect(await other.value == nil)
    // All slots are back, and no more.
    let after = (0...row.slots).map { _ in scheduler.hold(for: "a") }
    try await waitUntil("one waits") { scheduler.counts.waiting == 1 }
    #expect(scheduler.counts.running == row.slots)
    for call in after { call.cancel() }
  }

  @Test func `a server is stuck only if all substitutes of the slots do not end either`() async throws {
    let scheduler = Scheduler(slots: 1)
    let gate = CallGate()
    #expect(!scheduler.isStuck(for: .zero))
    let first = try await Self.start(scheduler, gate, "a", limit: .milliseconds(20))
    #expect(await first.value == "deadline-exceeded")
    #expect(!scheduler.isStuck(for: .zero))
    try await waitUntil("its slot is given to others") {
      scheduler.refusal(for: "a", within: .seconds(3_600))?.code == "share-used"
    }
    let second = try await Self.start(scheduler, gate, "b", limit: .milliseconds(20))
    #expect(await second.value == "deadline-exceeded")
    try await waitUntil("two hang") { gate.begun.withLock { $0.count } == 2 }
    #expect(scheduler.isStuck(for: .zero) && !scheduler.isStuck(for: .seconds(3_600)))
    gate.letOneGo()
    try await waitUntil("one has ended") { scheduler.counts.running == 1 }
    #expect(!scheduler.isStuck(for: .zero))
    gate.letOneGo()
    try await waitUntil("all have ended") { scheduler.counts.running == 0 }
    #expect(!scheduler.isStuck(for: .zero))
  }

  @Test func `a slot goes to a client without one before a client with another`() async throws {
    let scheduler = Scheduler(slots: 2, places: 10, patience: .seconds(3_600))
    let gate = CallGate()
    var tasks: [Task<String?, Never>] = []
    for client in ["many", "many", "many", "many", "few"] {
      tasks.append(try await Self.start(scheduler, gate, client))
    }
    try await waitUntil("two have started") { gate.begun.withLock { $0.count } == 2 }
    for count in 3...5 {
      gate.letOneGo()
      try await waitUntil("the next one starts") { gate.begun.withLock { $0.count == count } }
    }
    gate.letOneGo()
    gate.letOneGo()
    for task in tasks { #expect(await task.value == nil) }
    #expect(gate.begun.withLock { $0 } == ["many", "many", "few", "many", "many"])
  }

  struct SlowCalls: Sendable, CustomTestStringConvertible {
    /// The clients whose calls have all slots, and are slow.
    let running: [String]
    /// The clients whose calls arrive then, in order.
    let coming: [String]
    /// Those of them that get the slow calls' slots.
    let begun: [String]
    var testDescription: String { "\(coming.joined()) next to \(running.joined())" }
  }

  static let slowCalls = [
    SlowCalls(running: ["a", "a"], coming: ["b"], begun: ["b"]),
    SlowCalls(running: ["a", "a"], coming: ["a", "a", "b"], begun: ["b"]),
    SlowCalls(running: ["a", "a"], coming: ["b", "b"], begun: ["b"]),
    // At most as many as there are slots are passed over.
    SlowCalls(running: ["a", "a"], coming: ["b", "c", "d"], begun: ["b", "c"]),
    SlowCalls(
      running: ["a", "a", "b", "b"], coming: ["c", "d", "e", "f", "g"], begun: ["c", "d", "e", "f"]),
    // Only calls of a client with several are.
    SlowCalls(running: ["a", "b"], coming: ["c"], begun: []),
    SlowCalls(running: ["a"], coming: ["b"], begun: []),
    SlowCalls(running: ["a", "b", "c", "c"], coming: ["d", "e", "f"], begun: ["d", "e"]),
    SlowCalls(running: ["a", "a"], coming: ["a"], begun: []),
    SlowCalls(running: ["a", "a"], coming: [], begun: []),
  ]

  @Test(arguments: slowCalls)
  func `a client without a slot gets that of a slow call of a client with several`(
    row: SlowCalls
  ) async throws {
    let slots = row.running.count
    let scheduler = Scheduler(slots: slots, patience: .seconds(3_600))
    let gate = CallGate()
    var tasks: [Task<String?, Never>] = []
    for client in row.running + row.coming { tasks.append(try await Self.start(scheduler, gate, client)) }
    try await waitUntil("all slots are taken") { gate.begun.withLock { $0.count } == slots }
    scheduler.passSlowCalls(at: .now)
    #expect(scheduler.counts.running == slots && scheduler.counts.waiting == row.coming.count)
    scheduler.passSlowCalls(at: .now + .seconds(7_200))
    #expect(scheduler.counts.running == slots + row.begun.count)
    #expect(scheduler.counts.waiting == row.coming.count - row.begun.count)
    try await waitUntil("they start") { gate.begun.withLock { $0.count } == slots + row.begun.count }
    #expect(gate.begun.withLock { $0.dropFirst(slots).sorted() } == row.begun)
    try await waitUntil("all have ended") {
      gate.letOneGo()
      return scheduler.counts.running == 0 && scheduler.counts.waiting == 0
    }
    for task in tasks { #expect(await task.value == nil) }
    // All slots are back, and no more.
    let after = (0...slots).map { _ in scheduler.hold(for: "a") }
    try await waitUntil("one waits") { scheduler.counts.waiting == 1 }
    #expect(scheduler.counts.running == slots)
    for call in after { call.cancel() }
  }

  @Test func `calls next to slow ones start at once, and these gain their client no further slot`()
    async throws
  {
    let scheduler = Scheduler(slots: 2, places: 2, patience: .zero)
    let gate = CallGate()
    var tasks: [Task<String?, Never>] = []
    for _ in 0..<4 { tasks.append(try await Self.start(scheduler, gate, "many")) }
    for _ in 0..<3 {
      // Although the queue is full.
      #expect(scheduler.refusal(for: "few", within: .milliseconds(1)) == nil)
      #expect(try await scheduler.run(for: "few", within: .seconds(3_600)) { 7 }.value == 7)
      #expect(scheduler.counts.running == 2 && scheduler.counts.waiting == 2)
    }
    #expect(gate.begun.withLock { $0.count } <= 2)
    for count in 3...4 {
      try await waitUntil("the earlier ones have started") { gate.begun.withLock { $0.count } == count - 1 }
      gate.letOneGo()
      try await waitUntil("the next one starts") { gate.begun.withLock { $0.count } == count }
      #expect(scheduler.counts.running == 2)
    }
    gate.letOneGo()
    gate.letOneGo()
    for task in tasks { #expect(await task.value == nil) }
    #expect(scheduler.counts.running == 0)
  }

  @Test func `a call waiting for calls that become slow starts before they end`() async throws {
    let scheduler = Scheduler(slots: 2)
    let gate = CallGate()
    let held = [try await Self.start(scheduler, gate, "a"), try await Self.start(scheduler, gate, "a")]
    #expect(try await scheduler.run(for: "b", within: .seconds(3_600)) { 7 }.value == 7)
    try await waitUntil("both have started") { gate.begun.withLock { $0.count } == 2 }
    gate.letOneGo()
    gate.letOneGo()
    for task in held { #expect(await task.value == nil) }
  }

  @Test func `a client that has all places gives those above its half to others`() async throws {
    let scheduler = Scheduler(slots: 1, places: 4)
    let gate = CallGate()
    var tasks: [Task<String?, Never>] = []
    for _ in 0..<5 { tasks.append(try await Self.start(scheduler, gate, "many")) }
    #expect(scheduler.refusal(for: "few", within: .seconds(3_600)) == nil)
    let few = Task { try await scheduler.run(for: "few", within: .seconds(3_600)) { 7 }.value }
    // The newest of the others has lost its place.
    #expect(await tasks[4].value == "share-used")
    #expect(scheduler.counts.waiting == 4)
    for count in 1...4 {
      try await waitUntil("the next one starts") { gate.begun.withLock { $0.count == count } }
      gate.letOneGo()
    }
    #expect(try await few.value == 7)
    for task in tasks.dropLast() { #expect(await task.value == nil) }
  }

  @Test func `a call's error is thrown, and its slot is free again`() async throws {
    let scheduler = Scheduler(slots: 1)
    await #expect(throws: TestFailure.self) {
      try await scheduler.run(for: "a", within: .seconds(3_600)) { throw TestFailure("no") }
    }
    #expect(try await scheduler.run(for: "a", within: .seconds(3_600)) { 7 }.value == 7)
  }
}
#endif
