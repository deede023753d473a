// SPDX-License-Identifier: Apache-2.0

import FoveaCore
import Synchronization
import Testing

@Suite struct WaiterQueueTests {
  struct Leaving: Sendable, CustomTestStringConvertible {
    let testDescription: String
    var count = 3
    let leaving: [Int]
    let removed: [Int?]
    let left: [Int]
  }

  static let leaving = [
    Leaving(testDescription: "no one waits", count: 0, leaving: [3], removed: [nil], left: []),
    Leaving(testDescription: "no one leaves", leaving: [], removed: [], left: [0, 1, 2]),
    Leaving(testDescription: "one who does not wait", leaving: [3], removed: [nil], left: [0, 1, 2]),
    Leaving(testDescription: "the first", leaving: [0], removed: [0], left: [1, 2]),
    Leaving(testDescription: "one in the middle, twice", leaving: [1, 1], removed: [1, nil], left: [0, 2]),
    Leaving(testDescription: "the last", leaving: [2], removed: [2], left: [0, 1]),
    Leaving(testDescription: "all", leaving: [2, 0, 1], removed: [2, 0, 1], left: []),
  ]

  @Test(arguments: leaving)
  func `waiters are served in order of arrival`(_ row: Leaving) {
    var queue = WaiterQueue<Int>()
    let tickets = (0...3).map { _ in WaitTicket() }
    for number in 0..<row.count { queue.append(number, tickets[number]) }
    var removed: [Int?] = []
    for number in row.leaving { removed.append(queue.remove(tickets[number])) }
    #expect(removed == row.removed)
    #expect(queue.waiters == row.left && queue.count == row.left.count)
    var served: [Int] = []
    while let number = queue.popFirst() { served.append(number) }
    #expect(served == row.left && queue.count == 0)
  }

  /// Numbers that are handed out in the order of requests.
  private final class Desk: Sendable {
    private struct State {
      var ready: [Int] = []
      var waiting = WaiterQueue<CheckedContinuation<Int?, Never>>()
    }
    private let state = Mutex(State())

    var waitingCount: Int { state.withLock { $0.waiting.count } }

    func take() async -> Int? {
      await WaitTicket.wait(cancelled: Int?.none) { ticket, waiter in
        state.withLock { state -> Int?? in
          if let number = state.ready.popLast() { return .some(number) }
          state.waiting.append(waiter, ticket)
          return nil
        }
      } leave: { ticket in
        state.withLock { $0.waiting.remove(ticket) }
      }
    }

    func give(_ number: Int) {
      let waiter = state.withLock { state in
        let waiter = state.waiting.popFirst()
        if waiter == nil { state.ready.append(number) }
        return waiter
      }
      waiter?.resume(returning: number)
    }
  }

  @Test func `tasks are resumed in order of arrival, and a cancelled one leaves`() async {
    let desk = Desk()
    var tasks: [Task<Int?, Never>] = []
    for count in 1...4 {
      tasks.append(Task { await desk.take() })
      while desk.waitingCount < count { await Task.yield() }
    }
    tasks[1].cancel()
    #expect(await tasks[1].value == nil)
    #expect(desk.waitingCount == 3)
    for number in [10, 20, 30] { desk.give(number) }
    #expect(await tasks[0].value == 10)
    #expect(await tasks[2].value == 20)
    #expect(await tasks[3].value == 30)
  }

  @Test func `a task cancelled before waiting takes nothing`() async {
    let desk = Desk()
    desk.give(1)
    let cancelled = Task {
      while !Task.isCancelled { await Task.yield() }
      return await desk.take()
    }
    cancelled.cancel()
    #expect(await cancelled.value == nil)
    #expect(await desk.take() == 1)
  }

  @Test func `a task that arrives, is served and is cancelled at the same time is resumed once`() async {
    let desk = Desk()
    for number in 0..<500 {
      let taker = Task { await desk.take() }
      let giver = Task { desk.give(number) }
      taker.cancel()
      await giver.value
      let taken = await taker.value
      if taken == nil { #expect(await desk.take() == number) } else { #expect(taken == number) }
      #expect(desk.waitingCount == 0)
    }
  }
}
