// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Synchronization
import Testing

@testable import FoveaCompatibility

/// Calls to one engine, one after the other.
@Suite struct SerialCallQueueTests {
  private static let failure = MLError(.notFound, "Nothing is there", remedy: "Put something there")

  @Test("Calls run in order, however the caller waits")
  func order() async throws {
    let queue = SerialCallQueue<[Int]> { () async throws(MLError) in [] }
    for number in 0..<50 {
      queue.begin {
        $0.append(number)
      } end: { _ in
      }
    }
    let seen = try queue.wait { $0 }
    #expect(seen == Array(0..<50))
    let later = try await queue.call { engine in
      engine.append(50)
      return engine
    }
    #expect(later == Array(0...50))
  }

  @Test("A call that suspends keeps its place: no call comes in between")
  func suspension() async throws {
    let queue = SerialCallQueue<[Int]> { () async throws(MLError) in [] }
    for number in 0..<20 {
      queue.begin { engine in
        for _ in 0..<5 { await Task.yield() }
        engine.append(number)
      } end: { _ in
      }
    }
    #expect(try await queue.call { $0 } == Array(0..<20))
  }

  @Test("An engine that cannot be created is an error, and the next call tries again")
  func failedMaking() throws {
    let attempts = Mutex(0)
    let queue = SerialCallQueue<Int> { () async throws(MLError) in
      let attempt = attempts.withLock {
        $0 += 1; return $0
      }
      if attempt < 3 { throw Self.failure }
      return attempt
    }
    for _ in 0..<2 { #expect(throws: MLError.self) { try queue.wait { $0 } } }
    #expect(try queue.wait { $0 } == 3)
    #expect(try queue.wait { $0 } == 3)
  }

  @Test("A call that fails leaves the engine to the next one")
  func failedCall() throws {
    let queue = SerialCallQueue<Int> { () async throws(MLError) in 7 }
    let error = #expect(throws: MLError.self) {
      try queue.wait { (engine) async throws(MLError) -> Int in
        engine += 1
        throw Self.failure
      }
    }
    #expect(error?.message == "Nothing is there")
    #expect(try queue.wait { $0 } == 8)
  }

  @Test("A cancelled task cancels its call")
  func cancellation() async throws {
    let queue = SerialCallQueue<Int> { () async throws(MLError) in 0 }
    let task = Task {
      try await queue.call { _ async throws(MLError) in
        while !Task.isCancelled { await Task.yield() }
        throw MLError(.cancelled, "The call was cancelled", remedy: "Call again")
      }
    }
    task.cancel()
    let error = await #expect(throws: MLError.self) { try await task.value }
    #expect(error?.code == .cancelled)
    #expect(try queue.wait { $0 } == 0)
  }

  @Test("Any number of threads that block until their turn hold up no others")
  func blockedThreads() async throws {
    let queue = SerialCallQueue<Int> { () async throws(MLError) in 0 }
    try await withThrowingTaskGroup(of: Void.self) { group in
      for number in 0..<64 {
        group.addTask {
          if number.isMultiple(of: 2) {
            try queue.wait { (engine) async throws(MLError) in
              await Task.yield()
              engine += 1
            }
          } else {
            try await queue.call { engine in engine += 1 }
          }
        }
      }
      try await group.waitForAll()
    }
    #expect(try queue.wait { $0 } == 64)
  }
}
