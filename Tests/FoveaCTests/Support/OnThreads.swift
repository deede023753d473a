// SPDX-License-Identifier: Apache-2.0

import Foundation
import Synchronization

/// Threads of the system, not those that tasks share.
enum OnThreads {
  /// Calls `body` on this many threads at the same time, and waits for them.
  static func run<R: Sendable>(_ count: Int, _ body: @escaping @Sendable (Int) -> R) -> [R] {
    let results = Mutex<[R]>([])
    let group = DispatchGroup()
    for index in 0..<count {
      group.enter()
      let thread = Thread {
        let result = body(index)
        results.withLock { $0.append(result) }
        group.leave()
      }
      thread.stackSize = 8 << 20
      thread.start()
    }
    group.wait()
    return results.withLock { $0 }
  }
}
