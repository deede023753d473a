// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore

extension Experiment {
  /// The most rows of weights, pauses included.
  static let mostRows = 1_000
  /// The most test devices: each makes every answer about the model longer.
  static let mostOverrides = 100

  /// Lets units draw: a draft begins, a pause ends.
  ///
  /// Each unit gets the variant that it had.
  /// - Throws: `precondition` where it runs, or has ended.
  package mutating func resume(at time: Timestamp) throws(HostError) {
    guard state == .draft || state == .paused else { throw wrong("cannot go on", "Start another experiment") }
    try append(rows[rows.count - 1].weights, isDrawn: true, at: time)
    state = .running
  }

  /// Lets no unit draw until it goes on; what is logged meanwhile is not counted.
  /// - Throws: `precondition` where it does not run.
  package mutating func pause(at time: Timestamp) throws(HostError) {
    guard state == .running else { throw wrong("cannot pause", "Only a running experiment can") }
    try append(rows[rows.count - 1].weights, isDrawn: false, at: time)
    state = .paused
  }

  /// Ends it: no unit gets a variant any more; after a winner was rolled out, no unit gets the winner's parameters.
  /// - Throws: `precondition` where it was stopped before, or its winner is the stable version.
  package mutating func stop(at time: Timestamp) throws(HostError) {
    guard state != .stopped else { throw wrong("cannot stop", "There is nothing to do") }
    guard state != .rolledOut || model == nil else {
      throw wrong("cannot stop", "No unit draws any more; roll the model back to take its version back")
    }
    if state == .running { try append(rows[rows.count - 1].weights, isDrawn: false, at: time) }
    if ended == nil { ended = later(time) }
    state = .stopped
  }

  /// Ends it with a winner that all units get.
  /// - Returns: The winner.
  /// - Throws: `not-found` for a variant that is none; `precondition` for a draft, and where it has ended.
  @discardableResult
  package mutating func rollOut(_ variant: String, at time: Timestamp) throws(HostError) -> Variant {
    guard state == .running || state == .paused else {
      throw wrong("cannot be rolled out", "Only a running or paused experiment can")
    }
    let found = try known(variant)
    if state == .running { try append(rows[rows.count - 1].weights, isDrawn: false, at: time) }
    ended = later(time)
    state = .rolledOut
    winner = variant
    return found
  }

  /// Begins a new row of weights.
  ///
  /// Units whose hash lies between the old and the new bounds get another variant.
  /// - Throws: `invalid` for weights that are no shares; `precondition` where it has ended.
  package mutating func setWeights(_ weights: [Int], at time: Timestamp) throws(HostError) {
    guard isActive else { throw wrong("has no weights to change", "Start another experiment") }
    guard weights.count == variants.count else {
      throw ExperimentFault.at("weights", "has \(weights.count) numbers for \(variants.count) variants")
    }
    for (index, weight) in weights.enumerated() { try ExperimentFault.check(weight, "weights[\(index)]") }
    guard weights != rows[rows.count - 1].weights else { return }
    try append(weights, isDrawn: state == .running, at: time)
  }

  /// Gives a test device a variant of its choice, or with nil the one that it draws; test devices are not counted.
  /// - Throws: `not-found` for a variant that is none; `invalid` for a unit that is none; `precondition` for too many, and
  ///   where it has ended.
  package mutating func setOverride(_ variant: String?, of unit: String) throws(HostError) {
    guard isActive else { throw wrong("gives no test device a variant any more", "Start another experiment") }
    guard (1...256).contains(unit.utf8.count), !unit.utf8.contains(0) else {
      throw ExperimentFault.at("unit", "is no id of 1 to 256 bytes")
    }
    if let variant { _ = try known(variant) }
    guard variant == nil || overrides[unit] != nil || overrides.count < Self.mostOverrides else {
      throw HostError(
        .precondition, "The experiment '\(id)' has \(Self.mostOverrides) test devices",
        remedy: "Remove one first")
    }
    overrides[unit] = variant
  }

  /// - Throws: `not-found` for a variant that is none.
  func known(_ variant: String) throws(HostError) -> Variant {
    if let index = index(of: variant) { return variants[index] }
    throw HostError(
      .notFound, "The experiment '\(id)' has no variant \(HostName.shown(variant))",
      remedy: "Name one of \(variants.map(\.id).joined(separator: ", "))")
  }

  /// Rows are in order, also where the clock has jumped back.
  private func later(_ time: Timestamp) -> Timestamp { max(time, rows[rows.count - 1].from) }

  private mutating func append(_ weights: [Int], isDrawn: Bool, at time: Timestamp) throws(HostError) {
    guard rows.count < Self.mostRows else {
      throw HostError(
        .precondition, "The experiment '\(id)' was changed \(Self.mostRows) times",
        remedy: "Stop it and start another")
    }
    rows.append(WeightRow(from: later(time), weights: weights, isDrawn: isDrawn))
  }

  private func wrong(_ what: String, _ remedy: Advice) -> HostError {
    HostError(.precondition, "The experiment '\(id)' is \(state.text) and \(what)", remedy: remedy)
  }
}

extension Experiment.State {
  /// As sentences have it.
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
