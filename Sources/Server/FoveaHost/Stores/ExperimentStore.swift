// SPDX-License-Identifier: Apache-2.0
#if Server
/// Where a host keeps experiments, and what was counted for them.
///
/// Each method is one transaction that outlives a power failure once it has returned.
package protocol ExperimentStore: Sendable {
  /// Every experiment of a project, in the order in which they came.
  func experiments(project: String) async throws(HostError) -> [Experiment]

  /// Adds the experiment that `body` makes of all others and the model, and a row of the audit log.
  ///
  /// Nothing is stored where `body` throws.
  /// - Parameters:
  ///   - project: The project.
  ///   - model: The id of the model; nil for none.
  ///   - entry: The row, whose model and states are filled in.
  ///   - body: May change the model, which is stored with the experiment.
  /// - Returns: What is stored.
  /// - Throws: What `body` throws.
  func addExperiment(
    project: String, model: String?, entry: AuditEntry,
    _ body: @escaping @Sendable ([Experiment], inout HostModel?) throws(HostError) -> Experiment
  ) async throws(HostError) -> ExperimentChange

  /// Changes an experiment, and its model with it, and adds a row of the audit log; nothing is stored where `body` throws
  /// or changes nothing.
  /// - Throws: `not-found` where there is no such experiment; what `body` throws.
  func changeExperiment(
    project: String, id: String, entry: AuditEntry,
    _ body: @escaping @Sendable (inout Experiment, inout HostModel?) throws(HostError) -> Void
  ) async throws(HostError) -> ExperimentChange

  /// Counts events, each id once.
  func count(_ batch: EventBatch) async throws(HostError) -> EventTally

  /// What was counted for an experiment.
  func sums(project: String, experiment: String) async throws(HostError) -> ExperimentSums

  /// Removes what no event can change any more: ids and values that wait from before a generation, and the units of
  /// experiments that have ended long ago. Their sums stay.
  func tidyEvents(
    project: String, before generation: Int, ended experiments: [String]
  ) async throws(HostError)
}

/// An experiment as it is stored now, and its model where that is there.
package struct ExperimentChange: Sendable, Equatable {
  package let experiment: Experiment
  package let model: HostModel?
}

/// Events whose meaning is known, which are to be counted once each.
package struct EventBatch: Sendable, Equatable {
  /// What an event does.
  package enum Effect: Sendable, Equatable {
    /// A unit sees its variant: the first time, it begins to count.
    case exposure(experiment: String, variant: Int, period: Int)
    /// A unit has a value, for each of the experiments that it takes part in.
    case metric(experiments: [String], value: Double)
  }

  package struct Entry: Sendable, Equatable {
    /// Stands for the event's id.
    package let id: Int64
    /// Stands for the unit.
    package let unit: Int64
    package let time: Timestamp
    package let effect: Effect
  }

  package let project: String
  /// Ids are kept for this generation and the one before.
  package let generation: Int
  package var entries: [Entry] = []
  /// What the experiments count that entries name.
  package var metrics: [String: ExperimentMetric] = [:]
  /// How many exposures of an experiment were refused, by reason.
  package var refusals: [String: [String: Int]] = [:]
}

/// How many events were new, and how many had come before.
package struct EventTally: Sendable, Equatable {
  package var counted = 0
  package var repeated = 0
}

/// What was counted for an experiment.
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
  /// How many exposures were refused, by reason.
  package var refusals: [String: Int] = [:]

  package init() {}
}
#endif
