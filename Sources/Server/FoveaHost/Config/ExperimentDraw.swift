// SPDX-License-Identifier: Apache-2.0
#if Server
/// What decides which variants of experiments an app gets.
package protocol ExperimentDraw: Sendable {
  /// The experiments that an app takes part in, at most one variant of each.
  func assignments(of unit: ConfigUnit) -> [ParameterAssignment]
}

/// A variant that an app gets.
package struct ParameterAssignment: Sendable, Equatable {
  package let experiment: String
  package let variant: String
  /// When the experiment has begun.
  package let started: Timestamp
  /// What the variant sets; empty for one that changes nothing.
  package let parameters: [String: String]

  package init(experiment: String, variant: String, started: Timestamp, parameters: [String: String] = [:]) {
    self.experiment = experiment
    self.variant = variant
    self.started = started
    self.parameters = parameters
  }
}

/// No experiment runs.
package struct NoExperiments: ExperimentDraw {
  package init() {}
  package func assignments(of unit: ConfigUnit) -> [ParameterAssignment] { [] }
}
#endif
