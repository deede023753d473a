// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore

/// The results of an experiment so far.
///
/// A day is included once it has ended: the windows of all its units are closed then, so each look contains
/// only new units.
package struct ExperimentReport: Sendable, Equatable {
  package let experiment: Experiment
  /// The name of the model; nil if there is none, or it was deleted.
  package let model: String?
  /// The looks, which are the input of `analyze`: each is a day, or a part of a day with the same weights.
  package let counts: MetricCounts
  package let analysis: ExperimentAnalysis
  /// The number of exposed units of each variant, including those whose windows are open.
  package let exposed: [Int]
  /// The number of refused exposures, by reason.
  package let refusals: [String: Int]
  /// The days of the first and the last look, in days since 1970-01-01; nil without looks.
  package let days: ClosedRange<Int64>?
  /// Remarks to read before the figures.
  package let notes: [String]

  /// - Throws: `internal` if the sums contradict each other.
  init(
    _ experiment: Experiment, _ sums: ExperimentSums, model: String?, at time: Timestamp
  ) throws(HostError) {
    self.experiment = experiment
    self.model = model
    refusals = sums.refusals
    let today = time.day
    let closed = sums.days.filter { $0.day < today && $0.variant < experiment.variants.count }
    days = closed.isEmpty ? nil : (closed.map(\.day).min() ?? 0)...(closed.map(\.day).max() ?? 0)
    exposed = experiment.variants.indices.map { variant in
      sums.days.reduce(0) { $0 + ($1.variant == variant ? $1.units : 0) }
    }
    counts = Self.counts(experiment, closed)
    do throws(StatisticsError) { analysis = try ExperimentAnalysis(counts) } catch {
      throw HostError(
        .inner, "The figures of the experiment '\(experiment.id)' contradict each other: \(error.message)",
        remedy: "Report it with this text", cause: error)
    }
    notes = Self.notes(experiment, exposed, counts, sums.refusals)
  }

  private static func counts(_ experiment: Experiment, _ closed: [ExperimentSums.Day]) -> MetricCounts {
    var looks: [MetricCounts.Look] = []
    var place: (period: Int, day: Int64)?
    var weights = experiment.rows[closed.first?.period ?? 0].weights.map(Double.init)
    let first = weights
    for sums in closed where experiment.rows.indices.contains(sums.period) {
      if place?.period != sums.period || place?.day != sums.day {
        let own = experiment.rows[sums.period].weights.map(Double.init)
        looks.append(
          MetricCounts.Look(
            arms: experiment.variants.map { _ in ArmSums() }, weights: own == weights ? nil : own))
        weights = own
        place = (sums.period, sums.day)
      }
      // Adding and subtracting a value leaves rounding errors in the last digits of a Double.
      looks[looks.count - 1].arms[sums.variant] = ArmSums(
        units: sums.units, sum: sums.sum, squares: max(0, sums.squares))
    }
    return MetricCounts(
      planned: Double(experiment.planned), kind: experiment.metric.kind, weights: first, looks: looks)
  }

  private static func notes(
    _ experiment: Experiment, _ exposed: [Int], _ counts: MetricCounts, _ refusals: [String: Int]
  ) -> [String] {
    var notes: [String] = []
    let units = counts.totals.reduce(0) { $0 + $1.units }
    if exposed.reduce(0, +) == 0 {
      notes.append("no unit has logged an exposure yet")
    } else if units == 0 {
      notes.append("no window has closed yet: a day is counted once it has ended")
    } else if counts.totals.allSatisfy({ $0.sum == 0 && $0.squares == 0 }) {
      notes.append("no unit has logged an event '\(experiment.metric.name)' yet")
    }
    for (reason, count) in refusals.sorted(by: { $0.key < $1.key }) {
      notes.append("\(DecimalText.counted(count, "exposure", "exposures")) refused: \(reason)")
    }
    return notes
  }

  /// A sentence for each variant except the control; one for all if the shares are off.
  package var findings: [String] {
    if analysis.isHidden { return [FindingText.hidden(analysis, counts)] }
    return analysis.comparisons[0].map { comparison in
      "\(experiment.variants[comparison.variant].id): "
        + FindingText.sentence(comparison, of: analysis, counts)
    }
  }
}
#endif
