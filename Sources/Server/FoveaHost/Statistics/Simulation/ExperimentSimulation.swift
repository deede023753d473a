// SPDX-License-Identifier: Apache-2.0

import Dispatch
import FoveaCore
import Synchronization

/// Simulated experiments with a known truth, which measure how often the analysis is wrong or right.
package struct ExperimentSimulation: Sendable, Equatable {
  /// The number of simulated experiments.
  package var runs: Int
  /// The number of looks in an experiment.
  package var looks = 20
  package var kind = MetricKind.conversion
  /// The control's rate; for means, the scale of its values.
  package var baseline = 0.1
  /// The relative improvement of the variant over the baseline.
  package var lift = 0.0
  /// For means: the spread of the logarithms of the values, 1.5 by default.
  package var sigma = 1.5
  /// The true share of the control's units; 0.5 is expected.
  package var controlShare = 0.5
  /// The units of both arms, over all looks.
  package var planned = 10_000
  package var alpha = 0.05
  package var seed: UInt64 = 1

  package init(runs: Int) { self.runs = runs }

  /// The verdicts at any look, as shares of the runs; they add up to 1.
  package struct Result: Sendable, Equatable {
    package var better = 0.0
    package var worse = 0.0
    /// Hidden by the sample-ratio test at some look, without an earlier verdict.
    package var hidden = 0.0
    package var open = 0.0
    /// The average part of the planned units until the experiment was called or hidden, or ended.
    package var units = 0.0
  }

  /// - Throws: `invalid` with the name of an impossible parameter.
  package func check() throws(StatisticsError) {
    guard (1...10_000_000).contains(runs) else { throw .invalid("runs", "is \(runs), not 1 to 10,000,000") }
    guard (1...10_000).contains(looks) else { throw .invalid("looks", "is \(looks), not 1 to 10,000") }
    guard planned >= 2 * looks, planned <= 1_000_000_000 else {
      throw .invalid("planned", "is \(planned), not two units a look to 1,000,000,000")
    }
    guard baseline > 0, baseline.isFinite, kind == .mean || baseline < 1 else {
      throw .invalid("baseline", "is \(baseline), not above 0 and below 1")
    }
    let rate = baseline * (1 + lift)
    guard rate.isFinite, rate > 0, kind == .mean || rate < 1 else {
      throw .invalid("lift", "is \(lift), which makes the rate \(rate)")
    }
    guard sigma >= 0, sigma <= 5 else { throw .invalid("sigma", "is \(sigma), not 0 to 5") }
    guard controlShare > 0, controlShare < 1 else {
      throw .invalid("biased", "is \(controlShare), not above 0 and below 1")
    }
    guard alpha > 0, alpha <= 0.5 else { throw .invalid("alpha", "is \(alpha), not above 0 and at most 0.5") }
  }

  /// Simulates all runs on several threads; the result does not depend on their number.
  /// - Parameters:
  ///   - threads: The number of threads.
  ///   - progress: Called from any of the threads with the number of finished runs; false ends the work.
  /// - Returns: The shares.
  /// - Throws: `invalid` as ``check()``; `cancelled` if `progress` ended it.
  package func run(
    threads: Int, progress: @escaping @Sendable (_ done: Int) -> Bool = { _ in true }
  ) throws(StatisticsError) -> Result {
    try check()
    let state = Mutex(Tally())
    let piece = max(1, min(100, runs / 8))
    let pieces = (runs + piece - 1) / piece
    DispatchQueue.concurrentPerform(iterations: max(1, min(threads, pieces))) { _ in
      while true {
        let range = state.withLock { state -> Range<Int>? in
          guard !state.isCancelled, state.next < runs else { return nil }
          let start = state.next
          state.next = min(runs, start + piece)
          return start..<state.next
        }
        guard let range else { return }
        var tally = Tally()
        for number in range { one(number, &tally) }
        let done = state.withLock { state in
          state.add(tally)
          return state.done
        }
        if !progress(done) { state.withLock { $0.isCancelled = true } }
      }
    }
    let tally = state.withLock { $0 }
    guard tally.done == runs else {
      throw StatisticsError(
        .cancelled, "The simulation ended after \(tally.done) of \(runs) runs", remedy: "Start it again")
    }
    return tally.result(planned: planned)
  }

  /// Simulates one experiment; its random numbers depend on its number, not on the thread.
  private func one(_ number: Int, _ tally: inout Tally) {
    var random = RandomNumbers(seed: seed, run: UInt64(number))
    let sequence = ConfidenceSequence(alpha: alpha, planned: Double(planned) / 2)
    var ratio = SampleRatioTest()
    var (control, variant) = (ArmSums(), ArmSums())
    tally.done += 1
    for look in 0..<looks {
      let units = planned * (look + 1) / looks - planned * look / looks
      let first = random.binomial(units, controlShare)
      let (a, b) = (
        sums(first, baseline, &random), sums(units - first, baseline * (1 + lift), &random)
      )
      control += a
      variant += b
      ratio.add([a.units, b.units], weights: [1, 1])
      let verdict = verdict(control, variant, sequence, isHidden: ratio.isAlarm)
      if verdict == .open { continue }
      tally.units += planned * (look + 1) / looks
      switch verdict {
      case .better: tally.better += 1
      case .worse: tally.worse += 1
      case .hidden: tally.hidden += 1
      case .open: break
      }
      return
    }
    tally.units += planned
  }

  private func verdict(
    _ control: ArmSums, _ variant: ArmSums, _ sequence: ConfidenceSequence, isHidden: Bool
  ) -> Verdict {
    if isHidden { return .hidden }
    guard let found = MeanDifference(control, variant, kind), found.level(sequence) <= alpha else {
      return .open
    }
    return found.difference > 0 ? .better : .worse
  }

  private func sums(_ units: Int, _ scale: Double, _ random: inout RandomNumbers) -> ArmSums {
    switch kind {
    case .conversion:
      let count = Double(random.binomial(units, scale))
      return ArmSums(units: units, sum: count, squares: count)
    case .mean:
      var sums = ArmSums(units: units)
      for _ in 0..<units {
        let value = scale * exp(sigma * random.normal())
        sums.sum += value
        sums.squares += value * value
      }
      return sums
    }
  }

  /// The counts; whole numbers, so that the order of the threads has no effect.
  private struct Tally: Sendable {
    var next = 0
    var isCancelled = false
    var done = 0
    var better = 0
    var worse = 0
    var hidden = 0
    var units = 0

    mutating func add(_ other: Tally) {
      done += other.done
      better += other.better
      worse += other.worse
      hidden += other.hidden
      units += other.units
    }

    func result(planned: Int) -> Result {
      let count = Double(done)
      return Result(
        better: Double(better) / count, worse: Double(worse) / count, hidden: Double(hidden) / count,
        open: Double(done - better - worse - hidden) / count,
        units: Double(units) / count / Double(planned))
    }
  }
}
