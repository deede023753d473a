// SPDX-License-Identifier: Apache-2.0

import Dispatch

/// Runs an actor's jobs on a serial dispatch queue, so that long computations do not block the program's
/// shared threads.
///
/// Linux has no `DispatchSerialQueue` that would do this itself.
package final class QueueExecutor: SerialExecutor {
  private let queue: DispatchQueue

  package init(label: String) { queue = DispatchQueue(label: label) }

  package func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { [self] in unsafe job.runSynchronously(on: asUnownedSerialExecutor()) }
  }
}

/// Runs tasks on a serial dispatch queue, which always has a thread.
///
/// All of the program's shared threads may be blocked; essential tasks must not depend on them.
package final class QueueTaskExecutor: TaskExecutor {
  private let queue: DispatchQueue

  package init(label: String) { queue = DispatchQueue(label: label) }

  package func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { [self] in unsafe job.runSynchronously(on: asUnownedTaskExecutor()) }
  }
}
