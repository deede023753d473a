// SPDX-License-Identifier: Apache-2.0
#if Server
/// The store of a host's experiments and their counts.
///
/// Each method is one transaction, durable across a power failure once it has returned.
package protocol ExperimentStore: Sendable {
  /// Returns every experiment of a project, in the order of creation.
  func experiments(project: String) async throws(HostError) -> [Experiment]

  /// Adds the experiment that `body` makes from all others and the model, and a row to the audit log.
  ///
  /// Stores nothing if `body` throws.
  /// - Parameters:
  ///   - project: The project.
  ///   - model: The id of the model; nil for none.
  ///   - entry: The row, whose model and states are filled in.
  ///   - body: May change the model, which is stored with the experiment.
  /// - Returns: The experiment and the model as stored.
  /// - Throws: Any error that `body` throws.
  func addExperiment(
    project: String, model: String?, entry: AuditEntry,
    _ body: @escaping @Sendable ([Experiment], inout HostModel?) throws(HostError) -> Experiment
  ) async throws(HostError) -> ExperimentChange

  /// Changes an experiment, and its model with it, and adds a row to the audit log; stores nothing if `body`
  /// throws or changes nothing.
  /// - Throws: `not-found` for an unknown experiment; any error that `body` throws.
  func changeExperiment(
    project: String, id: String, entry: AuditEntry,
    _ body: @escaping @Sendable (inout Experiment, inout HostModel?) throws(HostError) -> Void
  ) async throws(HostError) -> ExperimentChange

  /// Counts events, each id once.
  func count(_ batch: EventBatch) async throws(HostError) -> EventTally

  /// Returns the counts of an experiment.
  func sums(project: String, experiment: String) async throws(HostError) -> ExperimentSums

  /// Removes data that events can no longer change: ids and waiting values from before a generation, and the
  /// units of experiments that ended long ago. Their sums are kept.
  func tidyEvents(
    project: String, before generation: Int, ended experiments: [String]
  ) async throws(HostError)
}

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
