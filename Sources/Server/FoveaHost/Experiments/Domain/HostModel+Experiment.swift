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
  /// Checks that it has no other rollout or experiment: a model can have only one at a time.
  /// - Throws: `precondition` if a rollout is running, or an experiment has not ended.
  func checkFree() throws(HostError) {
    try checkNoExperiment()
    if let rollout, !rollout.isHalted { throw busy("A rollout of version \(rollout.version)", "is running") }
  }

  /// - Throws: `precondition` if an experiment has not ended; it may be a draft, or paused.
  func checkNoExperiment() throws(HostError) {
    if let experiment { throw busy("The experiment '\(experiment.id)'", "has not ended") }
  }

  /// - Throws: `precondition` if the version is a variant of an experiment that has not ended.
  func checkWithdrawal(of number: Int) throws(HostError) {
    guard let experiment, experiment.versions.contains(number) else { return }
    throw HostError(
      .precondition,
      "Version \(number) of the model '\(name)' is a variant of the experiment '\(experiment.id)', which has "
        + "not ended",
      remedy: "Stop the experiment, then withdraw the version")
  }

  private func busy(_ what: String, _ state: String) -> HostError {
    HostError(
      .precondition, "\(what) of the model '\(name)' \(state)",
      remedy: "Finish it or stop it first: a model has one rollout or one experiment at a time")
  }
}
#endif
