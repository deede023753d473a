// SPDX-License-Identifier: Apache-2.0
#if Server
/// An experiment as stored now, and its model if that exists.
package struct ExperimentChange: Sendable, Equatable {
  package let experiment: Experiment
  package let model: HostModel?
}

/// Events with known effects, each to be counted once.
package struct EventBatch: Sendable, Equatable {
  /// The effect of an event.
  package enum Effect: Sendable, Equatable {
    /// A unit sees its variant; counted the first time only.
    case exposure(experiment: String, variant: Int, period: Int)
    /// A unit has a value, for each of its experiments.
    case metric(experiments: [String], value: Double)
  }

  package struct Entry: Sendable, Equatable {
    /// Part of the digest of the event's id.
    package let id: Int64
    /// Part of the digest of the unit's id.
    package let unit: Int64
    package let time: Timestamp
    package let effect: Effect
  }

  package let project: String
  /// Ids are kept for this generation and the previous one.
  package let generation: Int
  package var entries: [Entry] = []
  /// The metrics of the experiments that entries name.
  package var metrics: [String: ExperimentMetric] = [:]
  /// The number of refused exposures of each experiment, by reason.
  package var refusals: [String: [String: Int]] = [:]
}

/// The numbers of new and repeated events.
package struct EventTally: Sendable, Equatable {
  package var counted = 0
  package var repeated = 0
}

/// The counts of an experiment.
package struct ExperimentSums: Sendable, Equatable {
  /// The units of a variant whose windows close on one day.
  package struct Day: Sendable, Equatable {
    /// The number of the row of weights.
    package let period: Int
    /// Days since 1970-01-01.
    package let day: Int64
    package let variant: Int
    package let units: Int
    package let sum: Double
    package let squares: Double
  }

  /// In the order of periods and days.
  package var days: [Day] = []
  /// The number of refused exposures, by reason.
  package var refusals: [String: Int] = [:]

  package init() {}
}
#endif
