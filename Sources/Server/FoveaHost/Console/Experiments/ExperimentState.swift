// SPDX-License-Identifier: Apache-2.0
#if Server

/// The values that decide what the units of an experiment get, with it and without it.
///
/// A ``SeenRevision`` covers them all, as that of a ``DeliveryState`` does for a model.
struct ExperimentState: Sendable {
  let experiment: Experiment
  /// The model whose versions it compares; nil for parameters, and if it was deleted.
  let model: HostModel?
  /// The apps' template in force.
  let template: ConfigTemplate
  /// The other experiments that set one of its parameters now.
  let others: [Experiment]

  /// `all` are the experiments of the project.
  init(_ experiment: Experiment, model: HostModel?, template: ConfigTemplate, among all: [Experiment]) {
    self.experiment = experiment
    self.model = model
    self.template = template
    others = experiment.others(among: all)
  }

  /// The part of the template that decides the values of the experiment's parameters: those that its variants
  /// set, and those that ask for its variant.
  var part: ConfigTemplate {
    let keys = experiment.parameterNames
    var part = ConfigTemplate(template.namespace)
    part.parameters = template.allParameters.filter { parameter in
      keys.contains(parameter.key)
        || parameter.conditionals.contains { $0.value.experiment == experiment.id }
    }
    let names = Set(part.parameters.flatMap(\.conditionals).map(\.condition))
    part.conditions = template.conditions.filter { names.contains($0.name) }
    return part
  }
}

extension ExperimentService {
  /// Returns the state of an experiment with its model and the template in force.
  func state(of experiment: Experiment, _ model: HostModel?, _ config: ConfigBoard) -> ExperimentState {
    ExperimentState(experiment, model: model, template: config.current(.apps).template, among: all)
  }

  /// Returns the check that a change is for the state that its confirmation has shown.
  func check(_ seen: SeenRevision, _ config: ConfigBoard) -> SeenExperimentCheck {
    { (experiment, model) throws(HostError) in try seen.check(state(of: experiment, model, config)) }
  }
}

extension SeenRevision {
  /// The revision of an experiment and of that which its units get without it: the stable version of its
  /// model, or the values of the template and of other experiments.
  init(_ state: ExperimentState) {
    let other =
      state.experiment.model == nil
      ? "values-\(AppKey.digest(of: state.part.json(nil)).prefix(16))" : SeenRevision(state.model).text
    self.init(
      SeenRevision(form: String(state.experiment.revision)),
      and: [other] + state.others.map { "\($0.id)-\($0.state.rawValue)" })
  }

  /// Checks that an experiment, and that which its units get without it, are those that the confirmation has
  /// shown.
  /// - Parameter state: The present state.
  /// - Throws: `conflict` that names the one that has changed.
  func check(_ state: ExperimentState) throws(HostError) {
    let (present, name) = (SeenRevision(state), "experiment '\(state.experiment.id)'")
    let (shown, now) = (text.split(separator: "+"), present.text.split(separator: "+"))
    let what =
      switch zip(shown, now).prefix(while: ==).count {
      case 0: "The \(name)"
      case 1:
        state.experiment.model == nil ? "The template that the \(name) overrides" : "The model of the \(name)"
      default: "Another experiment on the parameters of the \(name)"
      }
    try check(present, what)
  }
}

extension TemplateValue {
  /// The id of the experiment whose variant decides the value; nil for other values.
  fileprivate var experiment: String? {
    guard case .experiment(let id, _) = kind else { return nil }
    return id
  }
}
#endif
