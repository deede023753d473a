// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore
import FoveaHTTP
import Hummingbird

/// The changes that an experiment's page offers, and the confirmations before an end.
struct ExperimentChanges: Sendable {
  let frame: PageFrame
  let experiments: ExperimentService

  func add(to router: Router<HTTPContext>) {
    change("pause", .paused, router) { id, call in
      _ = try await experiments.pause(id, actor: call.session.identity.name)
    }
    change("resume", .resumed, router) { id, call in
      _ = try await experiments.resume(id, actor: call.session.identity.name)
    }
    change("stop", .stopped, router) { id, call in
      _ = try await experiments.stop(id, actor: call.session.identity.name)
    }
    change("weights", .weights, router) { id, call in
      var weights: [Int] = []
      for index in try experiments.experiment(id).variants.indices {
        weights.append(try call.number("weight-\(index)"))
      }
      _ = try await experiments.setWeights(weights, of: id, actor: call.session.identity.name)
    }
    change("override", .override, router) { id, call in
      let variant = call.fields["variant"].flatMap { $0.isEmpty ? nil : $0 }
      _ = try await experiments.setOverride(
        variant, unit: call.field("unit"), of: id, actor: call.session.identity.name)
    }
    change("rollout", .rolledOut, router) { id, call in
      try call.session.identity.require(.publishModels)
      _ = try await experiments.rollOut(call.field("variant"), of: id, actor: call.session.identity.name)
    }
    frame.get("console/experiments/{experiment}/stop", router, askStop)
    frame.get("console/experiments/{experiment}/rollout", router, askRollOut)
  }

  /// Adds a form that changes an experiment, and shows its page again.
  private func change(
    _ name: String, _ notice: Notice, _ router: Router<HTTPContext>,
    _ body: @escaping @Sendable (_ id: String, ConsoleCall) async throws -> Void
  ) {
    frame.post("console/experiments/{experiment}/\(name)", router) { call in
      try call.session.identity.require(.writeExperiments)
      let id = call.path("experiment")
      try await body(id, call)
      return frame.redirect(ExperimentPages.link(id), done: notice)
    }
  }

  @Sendable private func askStop(_ call: ConsoleCall) async throws -> Response {
    try call.session.identity.require(.writeExperiments)
    let experiment = try experiments.experiment(call.path("experiment"))
    let link = ExperimentPages.link(experiment.id)
    var page = Page(template: "confirm", title: "Stop \(experiment.id)?")
    page.values["question"] =
      (experiment.model == nil
        ? "Apps get the values of the template again." : "All devices get the stable version again.")
      + " The report is kept. A stopped experiment cannot be resumed."
    page.values["action"] = link + "/stop"
    page.values["button"] = "Stop"
    page.values["destroys"] = true
    page.values["back"] = link
    return try frame.answer(page, call, .experiments)
  }

  @Sendable private func askRollOut(_ call: ConsoleCall) async throws -> Response {
    try call.session.identity.require(.writeExperiments)
    try call.session.identity.require(.publishModels)
    let experiment = try experiments.experiment(call.path("experiment"))
    let name = try call.field("variant")
    guard let index = experiment.index(of: name) else {
      throw HostError(.notFound, "The experiment has no such variant", remedy: "Open the experiment again")
    }
    let variant = experiment.variants[index]
    let link = ExperimentPages.link(experiment.id)
    var page = Page(template: "confirm", title: "Roll out \(name) to all?")
    page.values["question"] =
      "The experiment ends. "
      + (variant.version.map { "The channel 'stable' points at version \($0), and all devices get it." }
        ?? "Every app gets \(ExperimentPageText.gets(variant)), until the experiment is stopped.")
    page.values["action"] = link + "/rollout"
    page.values["fields"] = [["name": "variant", "value": name]]
    page.values["button"] = "Roll out"
    page.values["back"] = link
    return try frame.answer(page, call, .experiments)
  }
}
#endif
