// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore
import FoveaHTTP
import HTTPTypes
import Hummingbird

/// The list of experiments with the form that starts one, and the report of each.
struct ExperimentPages: Sendable {
  let frame: PageFrame
  let experiments: ExperimentService
  let config: ConfigBoard

  func add(to router: Router<HTTPContext>) {
    frame.get("console/experiments", router) { call in
      try await list(call, try ExperimentForm(), problem: nil)
    }
    frame.post("console/experiments", router) { try await start($0, isDraft: false) }
    // Not below the list: there they would hide experiments of these names.
    frame.post("console/experiment/draft", router) { try await start($0, isDraft: true) }
    frame.post("console/experiment/ask", router, askStart)
    frame.post("console/experiment/edit", router) { call in
      try await list(call, ExperimentForm(call.fields), problem: nil)
    }
    frame.get("console/experiments/{experiment}", router, show)
  }

  // MARK: List

  private func list(
    _ call: ConsoleCall, _ form: ExperimentForm, problem: HostError?
  ) async throws -> Response {
    try call.session.identity.require(.readModels)
    return try await frame.answer(call, .experiments) { () throws(HostError) in
      listPage(call, form, problem)
    }
  }

  private func listPage(_ call: ConsoleCall, _ form: ExperimentForm, _ problem: HostError?) -> Page {
    let all = Array(experiments.all.reversed())
    let part = ListPart(all, call.fields, path: "/console/experiments") { experiment in
      [
        experiment.id, experiment.state.text,
        ExperimentPageText.compares(experiment, model: modelName(experiment)),
      ]
    }
    var page = Page(
      template: "experiments", title: "Experiments", status: problem.map { $0.refusal.status } ?? .ok)
    page.values["hasExperiments"] = !all.isEmpty
    page.add(part.values)
    page.values["experiments"] = part.elements.map { experiment -> [String: any Sendable] in
      var row: [String: any Sendable] = [
        "id": experiment.id, "link": Self.link(experiment.id), "state": experiment.state.text,
        "isOver": !experiment.isActive,
        "compares": ExperimentPageText.compares(experiment, model: modelName(experiment)),
        "metric": ExperimentPageText.metric(experiment.metric),
      ]
      row["started"] = experiment.started.map { Moment($0) }
      return row
    }
    page.values["mayStart"] = call.may(.writeExperiments)
    page.values["sent"] = form.values(usableModels)
    if let problem {
      page.values["problem"] = Page.sentences(problem.message, problem.remedy.description)
    }
    return page
  }

  /// The models that can have an experiment.
  private var usableModels: [HostModel] {
    experiments.models.catalogue.models(project: experiments.project)
      .filter { $0.versions.filter(\.isUsable).count >= 2 }.sorted { $0.name < $1.name }
  }

  private func start(_ call: ConsoleCall, isDraft: Bool) async throws -> Response {
    try call.session.identity.require(.writeExperiments)
    let form = ExperimentForm(call.fields)
    do {
      return try await frame.once(call) {
        var draft = try await draft(form, call)
        draft.draft = isDraft
        let seen = call.fields[Self.seen].map { experiments.check(SeenRevision(form: $0), config) }
        let started = try await experiments.start(draft, seen: seen, actor: call.session.identity.name)
        return frame.redirect(Self.link(started.id), done: started.state == .draft ? .drafted : .started)
      }
    } catch let error as HostError {
      return try await list(call, form, problem: error)
    }
  }

  @Sendable private func askStart(_ call: ConsoleCall) async throws -> Response {
    try call.session.identity.require(.writeExperiments)
    let form = ExperimentForm(call.fields)
    let checked: Experiment
    do throws(HostError) {
      checked = try experiments.check(try await draft(form, call))
      try await experiments.checkFiles(from: nil, to: checked, actor: call.session.identity.name)
    } catch {
      return try await list(call, form, problem: error)
    }
    var page = Page.confirmation(
      "Start \(checked.id)?",
      ExperimentPageText.about(checked, model: modelName(checked)) + " "
        + ExperimentPageText.start(checked) + " The variants are fixed once the experiment starts.",
      button: "Start", action: "/console/experiments", back: "/console/experiments")
    let seen = SeenRevision(experiments.state(of: checked, experiments.model(of: checked), config))
    page.values["fields"] =
      form.sent.map { ["name": $0.name, "value": $0.value] } + [["name": Self.seen, "value": seen.text]]
    // Unlike a link, it keeps the fields.
    page.values["edit"] = "/console/experiment/edit"
    return try await frame.answer(page, call, .experiments)
  }

  /// The field with the revision that the question before a start has shown; the form itself has none.
  ///
  /// It is not `revision`, whose forms ``PageFrame/once(_:_:)`` answers as a whole: the handler calls that
  /// itself, and shows an error in the form.
  private static let seen = "seen"

  /// Reads a form, whose parameters may be long.
  private func draft(
    _ form: ExperimentForm, _ call: ConsoleCall
  ) async throws(HostError) -> ExperimentDraft {
    try await frame.work(for: call) { () throws(HostError) in try form.draft() }
  }

  // MARK: Report

  @Sendable private func show(_ call: ConsoleCall) async throws -> Response {
    try call.session.identity.require(.readModels)
    let report = try await experiments.report(call.path("experiment"))
    let experiment = report.experiment
    let mayChange = call.may(.writeExperiments)
    let isConversion = experiment.metric.kind == .conversion
    var page = Page(template: "experiment", title: experiment.id)
    page.values["id"] = experiment.id
    page.values["link"] = Self.link(experiment.id)
    if let model = experiments.model(of: experiment) {
      page.values["warnings"] = await experiments.models.warnings(of: model)
    }
    page.values["state"] = experiment.state.text
    page.values["about"] = ExperimentPageText.about(experiment, model: modelName(experiment))
    page.values["mayChange"] = mayChange
    page.values["canStart"] = experiment.state == .draft
    page.values["canResume"] = experiment.state == .paused
    page.values["canPause"] = experiment.state == .running
    page.values["canStop"] = experiment.canStop
    page.values["canChange"] = mayChange && experiment.isActive
    page.values["canRollOut"] =
      mayChange && call.may(.publishModels) && experiment.canRollOut
    page.values["findings"] = report.findings
    page.values["notes"] = report.notes
    page.values["chart"] = IntervalChart(report)?.values
    page.values["control"] = experiment.variants[0].id
    page.values["progress"] = ExperimentPageText.progress(report)
    page.values["sumName"] = isConversion ? "Conversions" : "Sum"
    page.values["meanName"] = isConversion ? "Rate" : "Mean"
    page.values["arms"] = arms(report)
    page.values["unitKind"] = experiment.unit.rawValue
    page.values["tester"] = experiment.unit.tester
    page.values["overrides"] = experiment.overrides.sorted { $0.key < $1.key }.map {
      ["unit": $0.key, "variant": $0.value]
    }
    page.values["rows"] = experiment.rows.reversed().map { row -> [String: any Sendable] in
      [
        "from": Moment(row.from), "weights": ExperimentPageText.weights(row.weights),
        "drawn": row.isDrawn ? "yes" : "no",
      ]
    }
    let range = experiment.range
    page.values["seed"] = range.seed
    page.values["range"] = "\(DecimalText.grouped(range.start)) to \(DecimalText.grouped(range.end))"
    return try await frame.answer(page, call, .experiments)
  }

  private func arms(_ report: ExperimentReport) -> [[String: any Sendable]] {
    let experiment = report.experiment
    let isConversion = experiment.metric.kind == .conversion
    let weights = experiment.rows.last?.weights ?? []
    return zip(experiment.variants, report.counts.totals).enumerated().map { index, pair in
      let (variant, sums) = pair
      return [
        "number": index, "name": variant.id, "gets": ExperimentPageText.gets(variant),
        "isControl": index == 0, "isWinner": variant.id == experiment.winner,
        "weight": weights[index], "share": ExperimentPageText.share(index, of: weights),
        "exposed": DecimalText.grouped(report.exposed[index]), "units": DecimalText.grouped(sums.units),
        "sum": DecimalText.short(sums.sum, places: 4),
        "mean": sums.mean.map {
          isConversion ? DecimalText.fixed(100 * $0, places: 2) + " %" : DecimalText.short($0, places: 4)
        } ?? "–",
      ]
    }
  }

  private func modelName(_ experiment: Experiment) -> String? {
    experiment.model.flatMap(experiments.modelName)
  }

  static func link(_ id: String) -> String { "/console/experiments/\(PercentText.encode(id))" }
}
#endif
