// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaHTTP
import FoveaInference
import FoveaTesting
import HTTPTypes
import Synchronization
import Testing

@Suite struct SchedulerPartsTests {
  struct Size: Sendable, CustomTestStringConvertible {
    let slots: Int
    var places: Int?
    let parts: Int
    var testDescription: String {
      "\(parts) parts, \(slots) slots, \(places.map(String.init) ?? "usual") places"
    }
  }

  static let sizes = [
    Size(slots: 2, parts: 0), Size(slots: 2, parts: 1), Size(slots: 2, parts: 2), Size(slots: 2, parts: 40),
    Size(slots: 2, parts: 48), Size(slots: 2, parts: 64), Size(slots: 1, places: 0, parts: 64),
    Size(slots: 16, places: 1, parts: 64),
  ]

  @Test(arguments: sizes)
  func `a call with more parts than may wait is answered whole and in order`(size: Size) async throws {
    let scheduler = Scheduler(slots: size.slots, places: size.places)
    var values: [Int] = []
    try await scheduler.run(parts: size.parts, for: "a", within: .seconds(3_600)) { part in
      // The later ones are ready first if there is a slot for them.
      for _ in 0..<(part % 3) { await Task.yield() }
      return part
    } ready: { value, _ in
      values.append(value)
    }
    #expect(values == Array(0..<size.parts))
    #expect(scheduler.counts.running == 0 && scheduler.counts.waiting == 0)
  }

  @Test func `the parts of a call share one place, and others run between them`() async throws {
    let scheduler = Scheduler(slots: 1, places: 2)
    let gate = CallGate()
    let parts = Task {
      try await scheduler.run(parts: 4, for: "a", within: .seconds(3_600)) { part in
        await gate.hold("a\(part)")
      } ready: { _, _ in
      }
    }
    try await waitUntil("one runs, one waits") {
      scheduler.counts.running == 1 && scheduler.counts.waiting == 1
    }
    let other = Task {
      try await scheduler.run(for: "b", within: .seconds(3_600)) { await gate.hold("b") }
    }
    try await waitUntil("the other waits") { scheduler.counts.waiting == 2 }
    let full = await #expect(throws: Refusal.self) {
      try await scheduler.run(parts: 4, for: "c", within: .seconds(3_600)) { _ in
      } ready: { _, _ in
      }
    }
    #expect(full?.code == "server-busy" && full?.status.code == 503)
    for count in 1...5 {
      try await waitUntil("the next one starts") { gate.begun.withLock { $0.count == count } }
      #expect(scheduler.counts.running == 1 && scheduler.counts.waiting <= 2)
      gate.letOneGo()
    }
    try await parts.value
    _ = try await other.value
    // 'b' arrived when the second part already had its place, and the third did not.
    #expect(gate.begun.withLock { $0 } == ["a0", "a1", "b", "a2", "a3"])
    #expect(scheduler.counts.running == 0 && scheduler.counts.waiting == 0)
  }

  @Test func `the first error of a part ends the others`() async throws {
    let scheduler = Scheduler(slots: 2)
    var values: [Int] = []
    await #expect(throws: TestFailure.self) {
      try await scheduler.run(parts: 64, for: "a", within: .seconds(3_600)) { part in
        if part == 1 { throw TestFailure("no") }
        if part > 1 { try await Task.sleep(for: .seconds(3_600)) }
        return part
      } ready: { value, _ in
        values.append(value)
      }
    }
    #expect(values == [0] || values.isEmpty)
    #expect(scheduler.counts.running == 0 && scheduler.counts.waiting == 0)
  }

  @Test func `the deadline applies to all parts together`() async throws {
    let scheduler = Scheduler(slots: 1)
    let late = await #expect(throws: Refusal.self) {
      try await scheduler.run(parts: 3, for: "a", within: .milliseconds(50)) { part in
        if part > 0 { try await Task.sleep(for: .seconds(3_600)) }
      } ready: { _, _ in
      }
    }
    #expect(late?.code == "deadline-exceeded" && late?.status.code == 504)
    #expect(scheduler.counts.running == 0 && scheduler.counts.waiting == 0)
  }

  @Test func `a cancelled call leaves its slots and its place`() async throws {
    let scheduler = Scheduler(slots: 2)
    let parts = Task {
      try await scheduler.run(parts: 64, for: "a", within: .seconds(3_600)) { _ in
        try await Task.sleep(for: .seconds(3_600))
      } ready: { _, _ in
      }
    }
    try await waitUntil("two run, one waits") {
      scheduler.counts.running == 2 && scheduler.counts.waiting == 1
    }
    parts.cancel()
    await #expect(throws: CancellationError.self) { try await parts.value }
    #expect(scheduler.counts.running == 0 && scheduler.counts.waiting == 0)
  }
}
#endif
