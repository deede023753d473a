// SPDX-License-Identifier: Apache-2.0

import CMutexAnnotations
import Dispatch
import Synchronization

/// Proves that the sanitizer detects what it should and nothing else, in code with a known race and one
/// without.
enum Proof {
  /// Two threads add to a number without a lock.
  static func race() {
    let counter = Counter()
    onTwoThreads { counter.addWithoutLock() }
    print("two threads added up to \(counter.value) of \(2 * rounds) without a lock")
  }

  /// Two threads add to a number under a contended `Mutex`.
  static func lock() throws {
    let counter = Mutex(0)
    onTwoThreads {
      counter.withLock { value in
        let before = value
        // Long enough for the other thread to arrive and wait.
        for _ in 0..<200 { pause() }
        value = before + 1
      }
    }
    let waits = fovea_annotated_locks()
    let sum = counter.withLock { $0 }
    print("two threads added up to \(sum) of \(2 * rounds) under a lock and waited \(waits) times")
    guard sum == 2 * rounds else { throw Failure("The lock did not keep the threads apart.") }
    #if os(Linux)
    guard waits > 0 else { throw Failure("No thread passed the annotated slow path; see annotations.c.") }
    #endif
  }

  private static let rounds = 20_000

  /// Runs `body` on two threads at once, `rounds` times on each.
  ///
  /// They wait for each other with relaxed operations, which establish no order for the sanitizer.
  private static func onTwoThreads(_ body: @escaping @Sendable () -> Void) {
    let started = Started()
    let finished = DispatchGroup()
    for name in ["first", "second"] {
      DispatchQueue(label: name).async(group: finished) {
        started.count.add(1, ordering: .relaxed)
        while started.count.load(ordering: .relaxed) < 2 {}
        for _ in 0..<rounds { body() }
      }
    }
    finished.wait()
  }

  /// A step that the compiler does not remove.
  @inline(never)
  private static func pause() {}

  private final class Started: Sendable {
    let count = Atomic(0)
  }

  /// A number without any protection.
  private final class Counter: @unchecked Sendable {
    // SAFETY: none, on purpose: this is the race that must be reported.
    private(set) var value = 0
    func addWithoutLock() { value += 1 }
  }
}
