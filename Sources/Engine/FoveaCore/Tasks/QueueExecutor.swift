// SPDX-License-Identifier: Apache-2.0

import Dispatch

/// Runs an actor's jobs on a serial dispatch queue, so that long computations do not block the threads that all tasks
/// of the program share.
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
/// The threads that all tasks of a program share may all be blocked; what must go on then must not need one of them.
package final class QueueTaskExecutor: TaskExecutor {
  private let queue: DispatchQueue

  package init(label: String) { queue = DispatchQueue(label: label) }

  package func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { [self] in unsafe job.runSynchronously(on: asUnownedTaskExecutor()) }
  }
}
