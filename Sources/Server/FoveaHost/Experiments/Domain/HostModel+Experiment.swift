// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore

/// The experiment that gives versions of a model to devices.
package struct ModelExperiment: Sendable, Codable, Equatable {
  package let id: String
  /// The versions of its variants, which stay.
  package let versions: [Int]
}

extension HostModel {
  /// A model has one rollout or one experiment at a time.
  /// - Throws: `precondition` where one is under way.
  func checkFree() throws(HostError) {
    if let experiment { throw busy("The experiment '\(experiment.id)'") }
    if let rollout, !rollout.isHalted { throw busy("A rollout of version \(rollout.version)") }
  }

  /// - Throws: `precondition` where an experiment gives the version to devices.
  func checkWithdrawal(of number: Int) throws(HostError) {
    guard let experiment, experiment.versions.contains(number) else { return }
    throw HostError(
      .precondition,
      "The experiment '\(experiment.id)' gives version \(number) of the model '\(name)' to devices",
      remedy: "Stop the experiment, then withdraw the version")
  }

  func busy(_ what: String) -> HostError {
    HostError(
      .precondition, "\(what) of the model '\(name)' is under way",
      remedy: "Finish it or stop it first: a model has one rollout or one experiment at a time")
  }
}
#endif
