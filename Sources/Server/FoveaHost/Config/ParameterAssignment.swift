// SPDX-License-Identifier: Apache-2.0
#if Server
/// A variant assigned to an app.
package struct ParameterAssignment: Sendable, Equatable {
  package let experiment: String
  package let variant: String
  /// The start of the experiment.
  package let started: Timestamp
  /// The parameters that the variant sets; empty if it changes nothing.
  package let parameters: [String: String]

  package init(experiment: String, variant: String, started: Timestamp, parameters: [String: String] = [:]) {
    self.experiment = experiment
    self.variant = variant
    self.started = started
    self.parameters = parameters
  }
}
#endif
