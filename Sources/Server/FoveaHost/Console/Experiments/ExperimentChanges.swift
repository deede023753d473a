// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore
import FoveaHTTP
import Hummingbird

/// The changes that an experiment's page offers.
struct ExperimentChanges: Sendable {
  let frame: PageFrame
  let experiments: ExperimentService
  let config: ConfigBoard

  func add(to router: Router<HTTPContext>) {
    change("pause", .paused, router) { id, call in
      try await experiments.pause(id, seen: seen(call), actor: call.session.identity.name)
    }
    frame.post("console/experiments/{experiment}/resume", router) { call in
      try call.session.identity.require(.writeExperiments)
      let experiment = try experiments.experiment(call.path("experiment"))
      _ = try await experiments.resume(
        experiment.id, seen: seen(call), actor: call.session.identity.name)
      let notice: Notice = experiment.state == .draft ? .started : .resumed
      return frame.redirect(ExperimentPages.link(experiment.id), done: notice)
    }
    change("stop", .stopped, router) { id, call in
      try await experiments.stop(id, seen: seen(call), actor: call.session.identity.name)
    }
    change("weights", .weights, router) { id, call in
      let weights = try Self.weights(of: experiments.experiment(id), call)
      return try await experiments.setWeights(
        weights, of: id, seen: seen(call), actor: call.session.identity.name)
    }
    change("override", .override, router) { id, call in
      try await experiments.setOverride(
        Self.override(call), unit: call.field("unit"), of: id, seen: seen(call),
        actor: call.session.identity.name)
    }
    change("rollout", .rolledOut, router) { id, call in
      try call.session.identity.require(.publishModels)
      return try await experiments.rollOut(
        call.field("variant"), of: id, seen: seen(call), actor: call.session.identity.name)
    }
    for (name, ask) in [
      ("pause", askPause), ("resume", askResume), ("stop", askStop), ("weights", askWeights),
      ("override", askOverride), ("rollout", askRollOut),
    ] as [(String, Asking)] {
      frame.get("console/experiments/{experiment}/\(name)", router) { call in
        try call.session.identity.require(.writeExperiments)
        let experiment = try experiments.experiment(call.path("experiment"))
        return try await frame.answer(ask(experiment, call), call, .experiments)
      }
    }
  }

  /// Adds a form that changes an experiment, and shows its page again.
  ///
  /// The form is for the experiment that its page has shown: sent twice, or after another change, it is
  /// refused.
  private func change(
    _ name: String, _ notice: Notice, _ router: Router<HTTPContext>,
    _ body: @escaping @Sendable (_ id: String, ConsoleCall) async throws -> Experiment
  ) {
    frame.post("console/experiments/{experiment}/\(name)", router) { call in
      try call.session.identity.require(.writeExperiments)
      let id = call.path("experiment")
      let changed = try await body(id, call)
      // The page after it shows the damage.
      await experiments.stableWarning(without: changed, actor: call.session.identity.name)
      return frame.redirect(ExperimentPages.link(id), done: notice)
    }
  }

  // MARK: Seen

  /// Returns the check that a change is for the state that the form's confirmation has shown.
  private func seen(_ call: ConsoleCall) -> SeenExperimentCheck {
    experiments.check(call.seen, config)
  }

  // MARK: Fields

  /// Returns the weights of a form, in the order of the variants.
  static func weights(of experiment: Experiment, _ call: ConsoleCall) throws(HostError) -> [Int] {
    var weights: [Int] = []
    for index in experiment.variants.indices { weights.append(try call.number("weight-\(index)")) }
    return weights
  }

  /// Returns the variant of a test device; nil for the assigned one.
  static func override(_ call: ConsoleCall) -> String? {
    call.fields["variant"].flatMap { $0.isEmpty ? nil : $0 }
  }
}
#endif
