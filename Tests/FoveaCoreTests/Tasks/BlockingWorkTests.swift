// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Foundation
import FoveaCore
import Synchronization
import Testing

@Suite(.timeLimit(.minutes(10))) struct BlockingWorkTests {
  struct Stopped: Error, Equatable {}

  /// Releases all callers once this many have arrived.
  final class Gate: Sendable {
    private let arrived = Atomic(0)
    private let open = DispatchSemaphore(value: 0)

    /// Waits for the others; returns false after 20 seconds.
    func pass(_ count: Int) -> Bool {
      if arrived.add(1, ordering: .sequentiallyConsistent).newValue == count {
        for _ in 0..<count { open.signal() }
      }
      return open.wait(timeout: .now() + 20) == .success
    }
  }

  @Test func `blocking work holds none of the threads that tasks share`() async {
    // One more than there are such threads: none would ever pass if the work held them.
    let count = ProcessInfo.processInfo.activeProcessorCount + 1
    let gate = Gate()
    let passed = await withTaskGroup { group in
      for _ in 0..<count {
        group.addTask { await BlockingWork.run { _ in gate.pass(count) } }
      }
      return await group.reduce(0) { number, hasPassed in number + (hasPassed ? 1 : 0) }
    }
    #expect(passed == count)
  }

  @Test func `a cancelled task sets the flag, and its error is thrown`() async {
    let begun = DispatchSemaphore(value: 0)
    let task = Task { () async -> Stopped? in
      do throws(Stopped) {
        try await BlockingWork.run { stop throws(Stopped) in
          begun.signal()
          for _ in 0..<20_000 {
            if stop.isSet { throw Stopped() }
            usleep(1_000)
          }
        }
        return nil
      } catch {
        return error
      }
    }
    await withCheckedContinuation { continuation in
      DispatchQueue.global().async {
        begun.wait()
        continuation.resume()
      }
    }
    task.cancel()
    #expect(await task.value == Stopped())
  }
}
