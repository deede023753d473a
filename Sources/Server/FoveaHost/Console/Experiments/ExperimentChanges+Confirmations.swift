// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore
import FoveaHTTP

/// The confirmations before a change of an experiment.
extension ExperimentChanges {
  /// Returns the confirmation of a change that is possible now.
  typealias Asking = @Sendable (Experiment, ConsoleCall) async throws -> Page

  @Sendable func askPause(_ experiment: Experiment, _ call: ConsoleCall) async throws -> Page {
    var after = experiment
    try after.pause(at: experiments.now())
    let link = ExperimentPages.link(experiment.id)
    return Page.confirmation(
      "Pause \(experiment.id)?",
      (absence(experiment) ?? withoutVariants(experiment, " until the experiment is resumed"))
        + " Exposures logged meanwhile are not counted.",
      button: "Pause", action: link + "/pause", seen: seen(experiment), back: link
    ).with(await experiments.stableWarning(without: after, actor: call.session.identity.name))
  }

  @Sendable func askResume(_ experiment: Experiment, _ call: ConsoleCall) async throws -> Page {
    var after = experiment
    try after.resume(at: experiments.now(), on: experiments.model(of: experiment))
    try after.checkParameters(among: experiments.all)
    try await experiments.checkFiles(from: experiment, to: after, actor: call.session.identity.name)
    let link = ExperimentPages.link(experiment.id)
    let verb = experiment.state == .draft ? "Start" : "Resume"
    return Page.confirmation(
      "\(verb) \(experiment.id)?",
      ExperimentPageText.start(experiment) + ExperimentPageText.sinceEarlier(experiment),
      button: verb, action: link + "/resume", seen: seen(experiment), back: link)
  }

  @Sendable func askStop(_ experiment: Experiment, _ call: ConsoleCall) async throws -> Page {
    var after = experiment
    try after.stop(at: experiments.now())
    let link = ExperimentPages.link(experiment.id)
    let isIdle = experiment.state == .draft || experiment.state == .paused
    let effect = isIdle ? "Devices keep what they get now." : withoutVariants(experiment)
    return Page.confirmation(
      "Stop \(experiment.id)?",
      "\(absence(experiment) ?? effect) The report is kept. A stopped experiment cannot be resumed.",
      button: "Stop", action: link + "/stop", seen: seen(experiment), destroys: true, back: link
    ).with(await experiments.stableWarning(without: after, actor: call.session.identity.name))
  }

  @Sendable func askWeights(_ experiment: Experiment, _ call: ConsoleCall) async throws -> Page {
    let weights = try Self.weights(of: experiment, call)
    var after = experiment
    try after.setWeights(weights, at: experiments.now())
    try await experiments.checkFiles(from: experiment, to: after, actor: call.session.identity.name)
    let link = ExperimentPages.link(experiment.id)
    var page = Page.confirmation(
      "Change the weights of \(experiment.id)?",
      absence(experiment) ?? ExperimentPageText.weights(from: experiment, to: after),
      button: "Change", action: link + "/weights", seen: seen(experiment), back: link)
    page.values["fields"] = weights.enumerated().map { index, weight in
      ["name": "weight-\(index)", "value": String(weight)]
    }
    return page
  }

  @Sendable func askOverride(_ experiment: Experiment, _ call: ConsoleCall) async throws -> Page {
    let (unit, variant) = (try call.field("unit"), Self.override(call))
    var after = experiment
    try after.setOverride(variant, of: unit)
    try after.checkTesters(since: experiment, among: experiments.all)
    try await experiments.checkFiles(from: experiment, to: after, actor: call.session.identity.name)
    let link = ExperimentPages.link(experiment.id)
    return Page.confirmation(
      "Set the test \(experiment.unit.tester) \(unit)?",
      absence(experiment) ?? ExperimentPageText.override(of: unit, in: after),
      button: "Set", action: link + "/override", fields: ["unit": unit, "variant": variant ?? ""],
      seen: seen(experiment), back: link)
  }

  @Sendable func askRollOut(_ experiment: Experiment, _ call: ConsoleCall) async throws -> Page {
    try call.session.identity.require(.publishModels)
    let name = try call.field("variant")
    var after = experiment
    let variant = try after.rollOut(name, at: experiments.now())
    try after.checkParameters(among: experiments.all)
    try await experiments.checkFiles(from: experiment, to: after, actor: call.session.identity.name)
    let link = ExperimentPages.link(experiment.id)
    return Page.confirmation(
      "Roll out \(name) to all?",
      "The experiment ends. "
        + ExperimentPageText.rollOut(
          variant, of: experiment, besides: experiment.others(among: experiments.all)),
      button: "Roll out", action: link + "/rollout", fields: ["variant": name],
      seen: seen(experiment), back: link)
  }

  private func absence(_ experiment: Experiment) -> String? {
    ExperimentPageText.absence(of: experiments.model(of: experiment), in: experiment)
  }

  private func seen(_ experiment: Experiment) -> SeenRevision {
    SeenRevision(experiments.state(of: experiment, experiments.model(of: experiment), config))
  }

  /// Returns the effect of an experiment that assigns no variants; `end` is the end of its first sentence.
  private func withoutVariants(_ experiment: Experiment, _ end: String = "") -> String {
    ExperimentPageText.withoutVariants(
      experiment, end, besides: experiment.others(among: experiments.all))
  }
}
#endif
