// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore
import FoveaHTTP

/// The form that starts an experiment.
struct ExperimentForm {
  /// The submitted fields, so that an invalid form is shown again as it was filled in.
  let fields: RequestQuery

  private static let names = [
    "id", "variants", "metric", "hours", "planned", "parameters", "condition", "share", "layer", "holdout",
  ]

  /// An empty form.
  init() throws(Refusal) { fields = try RequestQuery("hours=24&planned=10000") }

  init(_ fields: RequestQuery) { self.fields = fields }

  /// Returns the requested experiment.
  /// - Throws: `invalid` that names a field.
  func draft() throws(HostError) -> ExperimentDraft {
    let model = text("model")
    guard let list = text("variants").flatMap({ WeightedVariants($0) }) else {
      throw HostError(
        .invalid, "The variants are not a list of names and weights", remedy: "Write them as 1:50,2:50")
    }
    let parameters = try text("parameters").map { text throws(HostError) in
      try WeightedVariants.parameters(Array(text.utf8), name: "The text of parameters")
    }
    if model != nil, parameters != nil {
      throw HostError(
        .invalid, "An experiment on versions of a model does not set parameters",
        remedy: "Remove them, or choose parameters of Remote Config")
    }
    var draft = ExperimentDraft(
      id: text("id") ?? "",
      variants: try model == nil ? list.variants(setting: parameters ?? [:]) : list.versions(),
      metric: ExperimentDraft.Metric(
        name: text("metric") ?? "", kind: text("kind"), window: try number("hours").map { $0 * 3_600 }))
    draft.model = model
    draft.unit = text("unit")
    draft.condition = text("condition")
    draft.planned = try number("planned").map { planned throws(HostError) in
      guard let whole = Int(exactly: planned) else { throw Self.fault("planned", "a whole number") }
      return whole
    }
    draft.layer = text("layer")
    draft.share = try number("share")
    draft.holdout = try number("holdout")
    return draft
  }

  /// The fields of the experiment, without the form's text.
  var sent: [RequestQuery.Item] {
    fields.items.filter { (Self.names + ["model", "kind", "unit"]).contains($0.name) }
  }

  /// Returns the values for the form's template.
  func values(_ models: [HostModel]) -> [String: any Sendable] {
    var values: [String: any Sendable] = [:]
    for name in Self.names { values[name] = fields[name]?.withPlainLineEnds ?? "" }
    let chosen = text("model")
    values["models"] = models.map { model -> [String: any Sendable] in
      let versions = model.versions.filter(\.isUsable).map { String($0.number) }
      return [
        "name": model.name, "versions": versions.joined(separator: ", "),
        "isChosen": model.name == chosen,
      ]
    }
    values["isParameters"] = fields["model"] == ""
    values["isMean"] = text("kind") == "mean"
    values["isUser"] = text("unit") == "user"
    values["isOpen"] = ["parameters", "condition", "share", "layer", "holdout"].contains { text($0) != nil }
    return values
  }

  private func text(_ name: String) -> String? {
    guard let text = fields[name]?.withPlainLineEnds.trimmingBlanks, !text.isEmpty else { return nil }
    return text
  }

  private func number(_ name: String) throws(HostError) -> Double? {
    guard let text = text(name) else { return nil }
    guard let number = Double(text), number.isFinite else { throw Self.fault(name, "a number") }
    return number
  }

  private static func fault(_ name: String, _ expected: String) -> HostError {
    HostError(.invalid, "The field '\(name)' is not \(expected)", remedy: "Correct it")
  }
}
#endif
