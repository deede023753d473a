// SPDX-License-Identifier: Apache-2.0
#if Server
extension ExperimentService {
  /// Returns the parameter experiments' variants for an app; everyone gets a rolled out winner.
  package func assignments(of unit: ConfigUnit) -> [ParameterAssignment] {
    let time = now()
    return board.all.compactMap { entry in
      let experiment = entry.experiment
      guard experiment.model == nil, let started = experiment.started,
        let variant = variant(of: experiment, unit), entry.condition?.holds(for: unit, at: time) ?? true
      else { return nil }
      return ParameterAssignment(
        experiment: experiment.id, variant: variant.id, started: started, parameters: variant.parameters)
    }
  }

  /// The work of ``assignments(of:)``.
  package var assignmentWork: FetchWork { board.work }

  private func variant(of experiment: Experiment, _ unit: ConfigUnit) -> Experiment.Variant? {
    if experiment.state == .rolledOut {
      return experiment.winner.flatMap(experiment.index).map { experiment.variants[$0] }
    }
    switch experiment.unit {
    case .installation: return experiment.variant(of: unit.installation)
    case .user: return unit.user.flatMap { experiment.variant(of: $0) }
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
