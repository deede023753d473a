// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore

extension ExperimentDraft {
  /// The maximum number of variants.
  static let mostVariants = 20
  /// The maximum size in bytes of the parameters of all variants.
  static let mostParameterBytes = 100_000

  /// Checks the draft and returns the requested experiment.
  /// - Parameters:
  ///   - project: The project of the experiment.
  ///   - others: Every experiment of the project.
  ///   - found: The model that ``model`` names; nil if there is none.
  ///   - seed: The seed, unless the experiment's layer already has one.
  ///   - time: The start of the experiment.
  /// - Returns: The experiment, running unless it is a draft.
  /// - Throws: `invalid` with the path of a member; `already-exists`; `not-found` for a version;
  ///   `precondition` if the model or the layer is in use.
  func experiment(
    project: String, among others: [Experiment], model found: HostModel?, seed: String, at time: Timestamp
  ) throws(HostError) -> Experiment {
    guard HostName.isExperiment(id) else {
      throw ExperimentFault.at(
        "id", "\(HostName.shown(id)) is not 1 to 22 lower-case letters, digits and '-'")
    }
    if let other = others.first(where: { $0.id == id }) {
      throw HostError(
        .alreadyExists, "id: an experiment '\(id)' already exists",
        remedy: "Choose another id: ids are never used twice",
        cause: other.revision == 1 ? OneChangeSince() : nil)
    }
    let unit = try choice("unit", self.unit, Experiment.UnitKind.installation)
    let variants = try checkedVariants(found)
    try checkParameters(variants, others)
    if let condition { try check(condition, variants, among: others) }
    let weights = self.variants.map { $0.weight ?? 1 }
    let planned = planned ?? 10_000
    guard (1...1_000_000_000).contains(planned) else {
      throw ExperimentFault.at("planned", "\(planned) is not a number of units from 1 to 1,000,000,000")
    }
    let metric = try checkedMetric()
    var experiment = Experiment(
      project: project, id: id, created: time, updated: time, unit: unit,
      range: try checkedRange(others, unit, seed), model: found?.id, variants: variants,
      condition: condition, metric: metric, planned: planned, state: .draft,
      rows: [Experiment.WeightRow(from: time, weights: weights, isDrawn: false)])
    if draft != true { try experiment.resume(at: time) }
    return experiment
  }

  // MARK: Variants

  private func checkedVariants(_ found: HostModel?) throws(HostError) -> [Experiment.Variant] {
    guard (2...Self.mostVariants).contains(variants.count) else {
      throw ExperimentFault.at(
        "variants", "has \(variants.count), not 2 to \(Self.mostVariants)",
        remedy: variants.count < 2 ? "Give two or more" : "Give \(Self.mostVariants) or fewer")
    }
    if let model { try checkModel(model, found) }
    var checked: [Experiment.Variant] = []
    for (index, variant) in variants.enumerated() {
      let path = "variants[\(index)]"
      let id = variant.id ?? Self.letter(index)
      guard HostName.isName(id) else {
        throw ExperimentFault.at(
          "\(path).id", "\(HostName.shown(id)) is not 1 to 32 letters, digits, '_' and '-'")
      }
      guard !checked.contains(where: { $0.id == id }) else {
        throw ExperimentFault.at("\(path).id", "'\(id)' is already the id of another variant")
      }
      if let weight = variant.weight { try ExperimentFault.check(weight, "\(path).weight") }
      try check(variant, path, found)
      checked.append(
        Experiment.Variant(id: id, version: variant.version, parameters: variant.parameters ?? [:]))
    }
    return checked
  }

  /// Returns `a`, `b`, `c` and so on.
  static func letter(_ index: Int) -> String {
    String(UnicodeScalar(UInt8(ascii: "a") + UInt8(clamping: min(index, 25))))
  }

  private func checkModel(_ name: String, _ found: HostModel?) throws(HostError) {
    guard let found else {
      throw HostError(
        .notFound, "model: there is no model \(HostName.shown(name))",
        remedy: "Use a name from the list of models")
    }
    let count = found.versions.filter(\.isUsable).count
    guard count >= 2 else {
      throw ExperimentFault.at(
        "model",
        "'\(found.name)' has \(count == 1 ? "one version" : "no version"), so there is nothing to compare",
        remedy: "Publish another version first, to a channel such as 'beta'")
    }
    guard found.isPublished else {
      throw HostError(
        .precondition, "model: '\(found.name)' is not published, so no device gets it",
        remedy: "Point 'stable' at a version first")
    }
    try found.checkFree()
    guard condition == nil else {
      throw ExperimentFault.at(
        "condition",
        "is not available for versions of a model, which devices request without describing themselves",
        remedy: "Omit it, or compare values of a parameter that names the model")
    }
  }

  private func check(_ variant: Variant, _ path: String, _ found: HostModel?) throws(HostError) {
    if let found {
      guard let version = variant.version else {
        throw ExperimentFault.at("\(path).version", "is missing: each variant is a version of the model")
      }
      do throws(HostError) { _ = try found.usableVersion(version) } catch {
        throw HostError(error.code, "\(path).version: \(error.message)", remedy: error.remedy)
      }
      guard variant.parameters?.isEmpty ?? true else {
        throw ExperimentFault.at(
          "\(path).parameters", "an experiment on versions of a model does not set parameters")
      }
    } else if variant.version != nil {
      throw ExperimentFault.at("\(path).version", "has no model", remedy: "Give the name of the model")
    }
  }

  // MARK: Parameters

  private func checkParameters(_ variants: [Experiment.Variant], _ others: [Experiment]) throws(HostError) {
    var bytes = 0
    for (index, variant) in variants.enumerated() {
      for (key, value) in variant.parameters.sorted(by: { $0.key < $1.key }) {
        let path = "variants[\(index)].parameters.\(key)"
        guard Self.isKey(key) else {
          throw ExperimentFault.at(
            path, "a key has 1 to 256 letters, digits and '_', and does not begin with a digit")
        }
        bytes += key.utf8.count + value.utf8.count
        guard bytes <= Self.mostParameterBytes, !value.utf8.contains(0) else {
          throw ExperimentFault.at(
            path, "the parameters have more than \(DecimalText.grouped(Self.mostParameterBytes)) bytes")
        }
        // Experiments in the same layer share no units, until one is rolled out to all.
        let other = others.first { other in
          other.parametersOwned.contains(key) && !(other.isActive && other.isInLayer(layer))
        }
        if let other {
          throw HostError(
            .precondition, "\(path): the experiment '\(other.id)' already sets this parameter",
            remedy: other.isActive ? "Stop it, or start both in one layer" : other.stopOfRollOut)
        }
      }
    }
  }

  private static func isKey(_ text: String) -> Bool {
    guard (1...256).contains(text.utf8.count), let first = text.utf8.first, !first.isASCIIDigit else {
      return false
    }
    return text.isASCIIWord(with: "_")
  }

  private func check(
    _ condition: String, _ variants: [Experiment.Variant], among others: [Experiment]
  ) throws(HostError) {
    var work = FetchWork()
    do throws(ExpressionFailure) { work.add(variants, try ConfigExpression(condition)) } catch {
      throw ExperimentFault.at("condition", error.text)
    }
    for other in others where other.model == nil && other.setsParameters {
      work.add(other.variants, other.condition.flatMap { try? ConfigExpression($0) })
    }
    // Each fetch evaluates all conditions.
    try work.check("condition", "with the other experiments, ")
  }

  // MARK: Metric

  private func checkedMetric() throws(HostError) -> ExperimentMetric {
    guard HostName.isMetric(metric.name) else {
      throw ExperimentFault.at(
        "metric.name",
        "\(HostName.shown(metric.name)) is not 1 to 40 letters, digits, '_', '.' and '-'")
    }
    let window = metric.window ?? 86_400
    guard window >= 0, window <= Double(ExperimentMetric.longestWindow) else {
      throw ExperimentFault.at(
        "metric.window", "\(DecimalText.exact(window)) seconds are not between 0 and 28 days",
        remedy: "Choose a window of 0 seconds to 28 days")
    }
    guard window == window.rounded() else {
      throw ExperimentFault.at(
        "metric.window", "\(window) is not a whole number of seconds", remedy: "Choose whole seconds")
    }
    return ExperimentMetric(
      name: metric.name, kind: try choice("metric.kind", metric.kind, MetricKind.conversion),
      window: Int(window))
  }

  private func choice<Value: RawRepresentable<String> & CaseIterable>(
    _ path: String, _ text: String?, _ standard: Value
  ) throws(HostError) -> Value {
    guard let text else { return standard }
    guard let value = Value(rawValue: text) else {
      let known = Value.allCases.map(\.rawValue).joined(separator: " or ")
      throw ExperimentFault.at(path, "\(HostName.shown(text)) is not \(known)")
    }
    return value
  }
}

extension Experiment {
  /// Whether its parameters reach apps, or may do so later.
  var setsParameters: Bool { isActive || state == .rolledOut }
}
#endif
