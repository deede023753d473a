// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore

/// The values that decide which versions the devices of a model get.
///
/// The sentences of confirmations are made only from these values, and a ``SeenRevision`` covers them all, so
/// that no change of a value leaves a sentence in force.
struct DeliveryState: Sendable {
  /// Nil if no model has the name.
  let model: HostModel?
  /// The experiment on the model that has not ended.
  let experiment: Experiment?
  /// The numbers of the versions to which no channel returns, because their files are damaged.
  let damaged: Set<Int>

  init(_ model: HostModel?, experiment: Experiment? = nil, damaged: Set<Int> = []) {
    self.model = model
    self.experiment = experiment
    self.damaged = damaged
  }

  /// The experiment that gives versions to devices now.
  var running: Experiment? { experiment.flatMap { $0.state == .running ? $0 : nil } }
}

extension ExperimentService {
  /// Returns the present state of a model.
  /// - Parameters:
  ///   - model: The model.
  ///   - damaged: The numbers of the versions to which no channel returns.
  /// - Returns: The state.
  func deliveryState(of model: HostModel, damaged: Set<Int> = []) -> DeliveryState {
    DeliveryState(model, experiment: owner(of: model), damaged: damaged)
  }

  /// Returns the check that a change of a model is for the state that its confirmation has shown.
  /// - Parameters:
  ///   - seen: The revision of the form.
  ///   - name: The name of the model.
  ///   - damaged: As for ``deliveryState(of:damaged:)``.
  /// - Returns: The check, which throws `conflict` with what devices get now.
  func check(_ seen: SeenRevision, of name: String, damaged: Set<Int> = []) -> SeenCheck {
    { (present) throws(HostError) in
      let state = present.map { deliveryState(of: $0, damaged: damaged) }
      try seen.check(state ?? DeliveryState(nil), of: name)
    }
  }
}

extension SeenRevision {
  /// The revision of a model and of everything else that decides what its devices get.
  init(_ state: DeliveryState) {
    let damaged = state.damaged.sorted().map(String.init).joined(separator: ",")
    self.init(
      SeenRevision(state.model),
      and: [
        state.experiment.map { "\($0.id).\($0.revision)" }, damaged.isEmpty ? nil : "damaged.\(damaged)",
      ].compactMap(\.self))
  }

  /// Checks that devices still get what the confirmation has stated.
  /// - Parameters:
  ///   - state: The present state.
  ///   - name: The name of the model, which may not exist.
  /// - Throws: `conflict` with what devices get now.
  func check(_ state: DeliveryState, of name: String) throws(HostError) {
    let present = state.model == nil ? nil : DeliveryText.state(state)
    try check(SeenRevision(state), "The model '\(name)'", now: present)
  }
}
#endif
