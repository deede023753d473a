// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore

/// The experiment that gives versions of a model to devices.
package struct ModelExperiment: Sendable, Codable, Equatable {
  package let id: String
  /// The versions of its variants, which cannot be withdrawn or retired.
  package let versions: [Int]
}

extension HostModel {
  /// Checks that no other rollout or experiment is running: a model can have only one at a time.
  /// - Throws: `precondition` if one is running.
  func checkFree() throws(HostError) {
    if let experiment { throw busy("The experiment '\(experiment.id)'") }
    if let rollout, !rollout.isHalted { throw busy("A rollout of version \(rollout.version)") }
  }

  /// - Throws: `precondition` if an experiment gives the version to devices.
  func checkWithdrawal(of number: Int) throws(HostError) {
    guard let experiment, experiment.versions.contains(number) else { return }
    throw HostError(
      .precondition,
      "The experiment '\(experiment.id)' gives version \(number) of the model '\(name)' to devices",
      remedy: "Stop the experiment, then withdraw the version")
  }

  func busy(_ what: String) -> HostError {
    HostError(
      .precondition, "\(what) of the model '\(name)' is running",
      remedy: "Finish it or stop it first: a model has one rollout or one experiment at a time")
  }
}
#endif
