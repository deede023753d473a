// SPDX-License-Identifier: Apache-2.0

import Dispatch
import FoveaTesting
import Synchronization
import Testing

/// Each case blocks until another task has run: on Swift's shared threads, as many at once as there are
/// processors would wait forever.
@Suite(.onOwnThread, .timeLimit(.minutes(10))) struct OwnThreadTraitTests {
  private static func block() -> DispatchTimeoutResult {
    let isDone = DispatchSemaphore(value: 0)
    Task { isDone.signal() }
    return isDone.wait(timeout: .now() + 120)
  }

  @Test(arguments: 0..<20) func `a case may block its thread`(_ number: Int) {
    #expect(Self.block() == .success)
  }

  @Test(arguments: 0..<20) func `a case may block its thread after it was suspended`(_ number: Int)
    async throws
  {
    try await Task.sleep(for: .milliseconds(number))
    await Task.yield()
    #expect(Self.block() == .success)
  }

  @Test func `an expectation belongs to the test`() {
    withKnownIssue { Issue.record("on a thread of its own") }
    #expect(Test.current?.name.contains("belongs to the test") == true)
  }
}

@Suite struct OwnThreadTests {
  @Test func `blocking work runs elsewhere, and its value or its error is returned`() async throws {
    try await withThrowingTaskGroup(of: Int.self) { group in
      for number in 0..<20 {
        group.addTask {
          try await onOwnThread {
            let isDone = DispatchSemaphore(value: 0)
            Task { isDone.signal() }
            return isDone.wait(timeout: .now() + 120) == .success ? number : -1
          }
        }
      }
      var sum = 0
      for try await number in group { sum += number }
      #expect(sum == 190)
    }
    await #expect(throws: TestFailure("no")) { try await onOwnThread { throw TestFailure("no") } }
  }

  @Test func `waiting ends when the condition holds, and fails if it never does`() async throws {
    let looks = Mutex(0)
    try await waitUntil("the third look") {
      looks.withLock { looks in
        looks += 1
        return looks == 3
      }
    }
    #expect(looks.withLock { $0 } == 3)
    let error = await #expect(throws: TestFailure.self) {
      try await waitUntil("pigs fly", within: .milliseconds(10)) { false }
    }
    #expect(error?.description == "waited 0 s in vain until pigs fly")
    blockUntil { true }
  }
}
