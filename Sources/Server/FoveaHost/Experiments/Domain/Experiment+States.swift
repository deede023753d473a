// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore

extension Experiment {
  /// The maximum number of rows of weights, including pauses.
  static let mostRows = 1_000
  /// The maximum number of test devices: each makes every answer about the model longer.
  static let mostOverrides = 100

  /// Starts a draft, or resumes after a pause.
  ///
  /// Each unit gets its earlier variant again, unless the weights have changed.
  /// - Throws: `precondition` if the experiment is running or has ended.
  package mutating func resume(at time: Timestamp) throws(HostError) {
    guard state == .draft || state == .paused else {
      throw wrong("cannot be resumed", "Start another experiment")
    }
    try append(rows[rows.count - 1].weights, isDrawn: true, at: time)
    state = .running
  }

  /// Starts a draft, or resumes after a pause, if devices get the model.
  /// - Parameters:
  ///   - time: The time of the start.
  ///   - model: The model on which the experiment is; nil for parameters, and if it was deleted.
  /// - Throws: As ``resume(at:)``; `precondition` if the model has no stable version.
  mutating func resume(at time: Timestamp, on model: HostModel?) throws(HostError) {
    try resume(at: time)
    guard self.model == nil || model?.isPublished == true else {
      throw HostError(
        .precondition, "The model of the experiment '\(id)' is not published, so no device gets it",
        remedy: "Point 'stable' at a version first, or stop the experiment")
    }
  }

  /// Stops assigning variants until the experiment is resumed; exposures logged meanwhile are not counted.
  /// - Throws: `precondition` if it is not running.
  package mutating func pause(at time: Timestamp) throws(HostError) {
    guard state == .running else { throw wrong("cannot be paused", "Pause only running experiments") }
    try append(rows[rows.count - 1].weights, isDrawn: false, at: time)
    state = .paused
  }

  /// Whether it can be stopped: an experiment on a model has ended with its rollout.
  package var canStop: Bool { state != .stopped && (state != .rolledOut || model == nil) }

  /// Whether a variant can be rolled out to all units.
  package var canRollOut: Bool { state == .running || state == .paused }

  /// Stops the experiment: no unit gets a variant any more; after a rollout, no unit gets the winner's
  /// parameters.
  /// - Throws: `precondition` if it was stopped before, or is on a model and was rolled out.
  package mutating func stop(at time: Timestamp) throws(HostError) {
    guard canStop else {
      throw state == .stopped
        ? wrong("cannot be stopped again", "Nothing needs to be done")
        : wrong("cannot be stopped", "Point 'stable' at another version to undo the rollout")
    }
    if state == .running { try append(rows[rows.count - 1].weights, isDrawn: false, at: time) }
    if ended == nil { ended = later(time) }
    state = .stopped
  }

  /// Finishes the experiment and rolls its winner out to all units.
  /// - Returns: The winner.
  /// - Throws: `not-found` for an unknown variant; `precondition` for a draft, and after the end.
  @discardableResult
  package mutating func rollOut(_ variant: String, at time: Timestamp) throws(HostError) -> Variant {
    guard canRollOut else {
      throw wrong("cannot be rolled out", "Roll out only running or paused experiments")
    }
    let found = try known(variant)
    if state == .running { try append(rows[rows.count - 1].weights, isDrawn: false, at: time) }
    ended = later(time)
    state = .rolledOut
    winner = variant
    return found
  }

  /// Starts a new row of weights.
  ///
  /// Units whose hash is between the old and the new bound get another variant.
  /// - Throws: `invalid` for invalid weights; `precondition` after the end.
  package mutating func setWeights(_ weights: [Int], at time: Timestamp) throws(HostError) {
    guard isActive else { throw wrong("does not accept new weights", "Start another experiment") }
    guard weights.count == variants.count else {
      throw ExperimentFault.at("weights", "has \(weights.count) numbers for \(variants.count) variants")
    }
    for (index, weight) in weights.enumerated() { try ExperimentFault.check(weight, "weights[\(index)]") }
    guard weights != rows[rows.count - 1].weights else { return }
    try append(weights, isDrawn: state == .running, at: time)
  }

  /// Sets the variant of a test device, or with nil restores the assigned one; test devices are not counted.
  /// - Throws: `not-found` for an unknown variant; `invalid` for an invalid unit; `precondition` for too
  ///   many, and after the end.
  package mutating func setOverride(_ variant: String?, of unit: String) throws(HostError) {
    guard isActive else { throw wrong("does not accept test devices any more", "Start another experiment") }
    guard (1...256).contains(unit.utf8.count), !unit.utf8.contains(0) else {
      throw ExperimentFault.at("unit", "is not an id of 1 to 256 bytes")
    }
    if let variant { _ = try known(variant) }
    guard variant == nil || overrides[unit] != nil || overrides.count < Self.mostOverrides else {
      throw HostError(
        .precondition, "The experiment '\(id)' already has \(Self.mostOverrides) test devices, the maximum",
        remedy: "Remove one first")
    }
    overrides[unit] = variant
  }

  /// - Throws: `not-found` for an unknown variant.
  func known(_ variant: String) throws(HostError) -> Variant {
    if let index = index(of: variant) { return variants[index] }
    throw HostError(
      .notFound, "The experiment '\(id)' has no variant \(HostName.shown(variant))",
      remedy: "Use one of \(variants.map(\.id).joined(separator: ", "))")
  }

  /// Keeps rows in order, even if the clock has jumped back.
  private func later(_ time: Timestamp) -> Timestamp { max(time, rows[rows.count - 1].from) }

  private mutating func append(_ weights: [Int], isDrawn: Bool, at time: Timestamp) throws(HostError) {
    guard rows.count < Self.mostRows else {
      throw HostError(
        .precondition, "The experiment '\(id)' has been changed \(Self.mostRows) times, the maximum",
        remedy: "Stop it and start another")
    }
    rows.append(WeightRow(from: later(time), weights: weights, isDrawn: isDrawn))
  }

  private func wrong(_ what: String, _ remedy: Advice) -> HostError {
    HostError(.precondition, "The experiment '\(id)' is \(state.text) and \(what)", remedy: remedy)
  }
}

extension Experiment.State {
  /// The state in a sentence.
  package var text: String {
    switch self {
    case .draft: "a draft"
    case .running: "running"
    case .paused: "paused"
    case .stopped: "stopped"
    case .rolledOut: "rolled out"
    }
  }
}
#endif
