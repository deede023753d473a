// SPDX-License-Identifier: Apache-2.0
#if Server
extension ExperimentService {
  /// Returns the parameter experiments' variants for an app; everyone gets a rolled out winner.
  ///
  /// A test device is in no other experiment of its layer that would assign it by chance.
  package func assignments(of unit: ConfigUnit) -> [ParameterAssignment] {
    let time = now()
    typealias Found = (experiment: Experiment, isTest: Bool, assignment: ParameterAssignment)
    let found = board.all.compactMap { entry -> Found? in
      let experiment = entry.experiment
      guard experiment.model == nil, let started = experiment.started,
        let variant = variant(of: experiment, unit), entry.condition?.holds(for: unit, at: time) ?? true
      else { return nil }
      let override = id(of: unit, in: experiment).flatMap { experiment.overrides[$0] }
      return (
        experiment, experiment.state == .running && override != nil,
        ParameterAssignment(
          experiment: experiment.id, variant: variant.id, started: started, parameters: variant.parameters)
      )
    }
    let layers = Set(found.filter(\.isTest).compactMap(\.experiment.range.layer))
    return found.filter { found in
      let isOther = found.experiment.range.layer.map(layers.contains) ?? false
      return found.isTest || found.experiment.state == .rolledOut || !isOther
    }.map(\.assignment)
  }

  /// The work of ``assignments(of:)``.
  package var assignmentWork: FetchWork { board.work }

  private func variant(of experiment: Experiment, _ unit: ConfigUnit) -> Experiment.Variant? {
    if experiment.state == .rolledOut {
      return experiment.winner.flatMap(experiment.index).map { experiment.variants[$0] }
    }
    return id(of: unit, in: experiment).flatMap { experiment.variant(of: $0) }
  }

  private func id(of unit: ConfigUnit, in experiment: Experiment) -> String? {
    switch experiment.unit {
    case .installation: unit.installation
    case .user: unit.user
    }
  }

  /// Returns the experiment that gives versions of a model to devices now.
  package func running(on model: HostModel) -> Experiment? {
    owner(of: model).flatMap { $0.state == .running ? $0 : nil }
  }

  /// Returns the experiment on a model that has not ended.
  func owner(of model: HostModel) -> Experiment? { model.experiment.flatMap { board.experiment($0.id) } }
}
#endif
