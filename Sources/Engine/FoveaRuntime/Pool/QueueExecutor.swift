// SPDX-License-Identifier: Apache-2.0

import Dispatch

/// Runs an actor's jobs on a serial dispatch queue, so that long computations do not block the threads that all tasks
/// of the program share.
///
/// Linux has no `DispatchSerialQueue` that would do this itself.
final class QueueExecutor: SerialExecutor {
  private let queue: DispatchQueue

  init(label: String) {
    queue = DispatchQueue(label: label)
  }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { [self] in unsafe job.runSynchronously(on: asUnownedSerialExecutor()) }
  }
}
