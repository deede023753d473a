// SPDX-License-Identifier: Apache-2.0
#if Server
  import FoveaHTTP
  import FoveaServer
  import FoveaTesting
  import HTTPTypes
  import Synchronization
  import Testing

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

    @Test func `no more calls run than there are slots, and lines are served in turn`() async throws {
      let scheduler = Scheduler(slots: 1, places: 10)
      let gate = CallGate()
      var tasks: [Task<String?, Never>] = []
      for client in ["a", "a", "a", "b", "c", "b"] {
        tasks.append(try await Self.start(scheduler, gate, client))
      }
      #expect(scheduler.counts.running == 1 && scheduler.counts.waiting == 5)
      for count in 1...6 {
        try await waitUntil("the next begins") { gate.begun.withLock { $0.count == count } }
        gate.letOneGo()
      }
      for task in tasks { #expect(await task.value == nil) }
      #expect(gate.begun.withLock { $0 } == ["a", "a", "b", "c", "a", "b"])
      #expect(scheduler.counts.running == 0 && scheduler.counts.waiting == 0)
    }

    @Test func `the longest run is that of the call that began first, and ends with it`() async throws {
      let scheduler = Scheduler(slots: 2)
      let gate = CallGate()
      #expect(scheduler.longestRun == .zero)
      let first = try await Self.start(scheduler, gate, "a")
      try await waitUntil("it has begun") { gate.begun.withLock { $0.count } == 1 }
      let second = try await Self.start(scheduler, gate, "b")
      try await waitUntil("both have begun") { gate.begun.withLock { $0.count } == 2 }
      let before = scheduler.longestRun
      gate.letOneGo()
      _ = await first.value
      #expect(scheduler.longestRun > .zero && before > .zero)
      gate.letOneGo()
      _ = await second.value
      #expect(scheduler.longestRun == .zero)
    }

    @Test func `a full line is refused, and half of it is the most for one of several`() async throws {
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
        try await waitUntil("the next begins") { gate.begun.withLock { $0.count == count } }
        gate.letOneGo()
      }
      for task in tasks { #expect(await task.value == nil) }
    }

    @Test func `a client alone may fill the line`() async throws {
      let scheduler = Scheduler(slots: 1, places: 3)
      let gate = CallGate()
      var tasks: [Task<String?, Never>] = []
      for _ in 0..<4 { tasks.append(try await Self.start(scheduler, gate, "a")) }
      for count in 1...4 {
        try await waitUntil("the next begins") { gate.begun.withLock { $0.count == count } }
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

    @Test func `what a call throws is thrown, and its slot is free again`() async throws {
      let scheduler = Scheduler(slots: 1)
      await #expect(throws: TestFailure.self) {
        try await scheduler.run(for: "a", within: .seconds(3_600)) { throw TestFailure("no") }
      }
      #expect(try await scheduler.run(for: "a", within: .seconds(3_600)) { 7 }.value == 7)
    }
  }
#endif
