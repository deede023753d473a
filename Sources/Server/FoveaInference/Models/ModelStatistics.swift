// SPDX-License-Identifier: Apache-2.0
#if Server
import Fovea
import FoveaCore
import Synchronization

/// The number and duration of runs of a model's version.
package final class ModelStatistics: Sendable {
  /// The number of runs and the sum of their times.
  struct Sum: Sendable, Equatable {
    var count = 0
    var time = Duration.zero

    mutating func add(_ time: Duration) {
      count += 1
      self.time += time
    }
  }

  /// The sums of all runs so far.
  struct Sums: Sendable, Equatable {
    /// Successful runs, and their time including the wait for a slot.
    var success = Sum()
    /// Runs that ended with an error.
    var fail = Sum()
    /// The wait for a slot of successful runs, and their stages.
    var queue = Sum()
    var input = Sum()
    var run = Sum()
    var output = Sum()
    /// The end of the latest run, in milliseconds since 1970; 0 before the first.
    var last: Int64 = 0
  }

  private let sums = Mutex(Sums())

  /// The sums so far.
  var current: Sums { sums.withLock { $0 } }

  /// Counts an answer.
  func count(_ timings: StageTimings, waited: Duration) {
    let (input, run) = (timings.decode + timings.prepare, timings.detect + timings.classify)
    let now = WallClock.milliseconds
    sums.withLock { sums in
      sums.success.add(waited + timings.total)
      sums.queue.add(waited)
      sums.input.add(input)
      sums.run.add(run)
      sums.output.add(max(.zero, timings.total - input - run))
      sums.last = now
    }
  }

  /// Counts a run that ended with an error.
  func countFailure(waited: Duration) {
    let now = WallClock.milliseconds
    sums.withLock { sums in
      sums.fail.add(waited)
      sums.last = now
    }
  }
}
#endif
