// SPDX-License-Identifier: Apache-2.0

import Dispatch

/// Runs tasks on a serial dispatch queue, which always has a thread.
///
/// The threads that all tasks of a program share may all be blocked by callers that wait for an answer; what they wait
/// for must not need one of these threads.
final class CallQueue: TaskExecutor {
  private let queue = DispatchQueue(label: "fovea.calls")

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { [self] in unsafe job.runSynchronously(on: asUnownedTaskExecutor()) }
  }
}
