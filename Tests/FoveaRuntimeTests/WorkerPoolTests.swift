// SPDX-License-Identifier: Apache-2.0

import FoveaRuntime
import Synchronization
import Testing

@Suite struct WorkerPoolTests {
  final class Counter: Sendable {
    private let values = Mutex((made: 0, inside: 0, most: 0))
    var made: Int { values.withLock { $0.made } }
    var most: Int { values.withLock { $0.most } }
    func make() { values.withLock { $0.made += 1 } }
    func enter() {
      values.withLock {
        $0.inside += 1
        $0.most = max($0.most, $0.inside)
      }
    }
    func leave() { values.withLock { $0.inside -= 1 } }
  }
  final class Resource {}
  struct Refused: Error {}

  @Test(arguments: [1, 2, 3])
  func `no more callers are served at a time than there are resources`(_ count: Int) async throws {
    let counter = Counter()
    let pool = try await WorkerPool(count: count) {
      counter.make()
      return Resource()
    }
    let sum = try await withThrowingTaskGroup(of: Int.self) { group in
      for number in 1...50 {
        group.addTask {
          try await pool.withResource { _ in
            counter.enter()
            defer { counter.leave() }
            return number
          }
        }
      }
      return try await group.reduce(0, +)
    }
    #expect(sum == 1275)
    #expect(counter.most <= count)
    #expect((1...count).contains(counter.made))
  }

  @Test func `an error while creating the first resource is thrown by the pool`() async {
    await #expect(throws: Refused.self) {
      _ = try await WorkerPool<Resource>(count: 2) { throw Refused() }
    }
  }

  @Test func `an error in the work reaches its caller and frees the resource`() async throws {
    let pool = try await WorkerPool(count: 1) { Resource() }
    await #expect(throws: Refused.self) { try await pool.withResource { _ in throw Refused() } }
    #expect(try await pool.withResource { _ in 7 } == 7)
  }

  @Test func `a cancelled caller leaves the queue`() async throws {
    let pool = try await WorkerPool(count: 1) { Resource() }
    let gate = Mutex(false)
    let holder = Task {
      try await pool.withResource { _ in
        while !gate.withLock({ $0 }) {}
      }
    }
    let waiting = Task { try await pool.withResource { _ in 1 } }
    waiting.cancel()
    await #expect(throws: CancellationError.self) { try await waiting.value }
    gate.withLock { $0 = true }
    try await holder.value
    #expect(try await pool.withResource { _ in 2 } == 2)
  }
}
