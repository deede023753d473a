// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore

/// Interprets the events of a batch and decides which of them count.
///
/// The variant of an exposure is computed again: an app cannot log a variant that was not assigned.
package struct EventIntake: Sendable {
  /// The number of seconds by which clocks of devices may be ahead.
  static let clockError = 300.0
  /// The maximum age of an event that counts, in seconds.
  static let latest = 7.0 * 86_400
  /// The minimum number of days for which ids are remembered.
  static let generationDays: Int64 = 8
  /// The largest absolute value.
  static let largestValue = 1e9

  private let experiments: [String: Experiment]
  private let now: Timestamp
  package private(set) var batch: EventBatch
  package private(set) var refused: [EventRefusal] = []

  package init(project: String, experiments: [Experiment], now: Timestamp) {
    self.experiments = Dictionary(experiments.map { ($0.id, $0) }) { first, _ in first }
    self.now = now
    batch = EventBatch(project: project, generation: Self.generation(at: now))
  }

  /// Returns the generation of a time: ids are kept by the time of their arrival.
  package static func generation(at time: Timestamp) -> Int { Int(time.day / generationDays) }

  package mutating func take(_ event: AppEvent) {
    let refusal = check(event)
    guard let refusal else { return }
    refused.append(EventRefusal(id: shownID(event.id), reason: refusal.reason, message: refusal.message))
    guard event.kind == "exposure", let id = event.experiment, experiments[id] != nil else { return }
    batch.refusals[id, default: [:]][refusal.reason.rawValue, default: 0] += 1
  }

  private typealias Problem = (reason: EventRefusal.Reason, message: String)

  private mutating func check(_ event: AppEvent) -> Problem? {
    guard let id = event.id, Self.isID(id) else {
      return (.malformed, "'id' is not 16 to 64 letters, digits, '_', '.' and '-'")
    }
    if let problem = event.unknownMember { return (.malformed, problem) }
    guard let unit = event.unit, (1...256).contains(unit.utf8.count) else {
      return (.malformed, "'unit' is not an id of 1 to 256 bytes")
    }
    guard let time = event.time.flatMap({ Timestamp(text: $0) }) else {
      return (.malformed, "'time' is not a time such as 2026-11-23T10:00:00.000Z")
    }
    if time > now.advanced(seconds: Self.clockError) {
      return (.future, "the host's clock reads \(now.text): check the device's clock")
    }
    if time < now.advanced(seconds: -Self.latest) { return (.tooLate, "it is more than 7 days old") }
    let effect: EventBatch.Effect
    switch event.kind {
    case "exposure":
      switch exposure(event, unit, time) {
      case .success(let found): effect = found
      case .failure(let problem): return (problem.reason, problem.message)
      }
    case "metric":
      switch metric(event, unit, time) {
      case .success(let found): effect = found
      case .failure(let problem): return (problem.reason, problem.message)
      }
    default: return (.unknownKind, "'kind' is not 'exposure' or 'metric'")
    }
    batch.entries.append(
      EventBatch.Entry(
        id: Self.number("event", batch.project, id), unit: Self.number("unit", batch.project, unit),
        time: time, effect: effect))
    return nil
  }

  private struct Refused: Error {
    let reason: EventRefusal.Reason
    let message: String
  }

  private mutating func exposure(
    _ event: AppEvent, _ unit: String, _ time: Timestamp
  ) -> Result<EventBatch.Effect, Refused> {
    func refused(_ reason: EventRefusal.Reason, _ message: String) -> Result<EventBatch.Effect, Refused> {
      .failure(Refused(reason: reason, message: message))
    }
    guard let id = event.experiment, let experiment = experiments[id] else {
      return refused(.unknownExperiment, "there is no experiment \(HostName.shown(event.experiment ?? ""))")
    }
    guard let name = event.variant, let variant = experiment.index(of: name) else {
      return refused(.unknownVariant, "'\(id)' has no variant \(HostName.shown(event.variant ?? ""))")
    }
    guard experiment.overrides[unit] == nil else {
      return refused(.testDevice, "the unit is a test device and is not counted")
    }
    guard experiment.row(at: time) != nil else {
      return refused(.notRunning, "'\(id)' did not run at that time")
    }
    guard let assignment = experiment.assignment(of: unit, at: time) else {
      return refused(.wrongVariant, "the unit is not part of '\(id)'")
    }
    guard assignment.variant == variant else {
      return refused(.wrongVariant, "the unit is assigned '\(experiment.variants[assignment.variant].id)'")
    }
    batch.metrics[id] = experiment.metric
    return .success(.exposure(experiment: id, variant: variant, period: assignment.row))
  }

  private mutating func metric(
    _ event: AppEvent, _ unit: String, _ time: Timestamp
  ) -> Result<EventBatch.Effect, Refused> {
    let value = event.value ?? 1
    guard !event.hasOddValue, value.isFinite, abs(value) <= Self.largestValue else {
      return .failure(
        Refused(reason: .malformed, message: "'value' is not a number from -1,000,000,000 to 1,000,000,000")
      )
    }
    let counting = experiments.values.filter { experiment in
      experiment.metric.name == event.name && experiment.counts(at: time)
    }
    guard !counting.isEmpty else {
      return .failure(
        Refused(
          reason: .unknownMetric,
          message: "no experiment counts \(HostName.shown(event.name ?? "")) at that time"))
    }
    // Units that cannot have been exposed need not wait for an exposure.
    let taking = counting.filter { $0.overrides[unit] == nil && $0.owns(unit) }
    for experiment in taking { batch.metrics[experiment.id] = experiment.metric }
    return .success(.metric(experiments: taking.map(\.id).sorted(), value: value))
  }

  private static func isID(_ text: String) -> Bool {
    (16...64).contains(text.utf8.count) && text.isASCIIWord(with: "-._")
  }

  /// Returns an id for answers: nil for one that is too long.
  private func shownID(_ id: String?) -> String? { id.flatMap { $0.utf8.count <= 64 ? $0 : nil } }

  /// Returns the number stored for an id: 64 bits of its digest.
  static func number(_ kind: String, _ project: String, _ id: String) -> Int64 {
    let digest = SHA256.digest(of: Array("\(kind)/\(project)/\(id)".utf8).span)
    return Int64(bitPattern: digest.prefix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) })
  }
}

extension Experiment {
  /// Returns whether events of a time can count: from the start until the last window has closed.
  func counts(at time: Timestamp) -> Bool {
    guard let started, time >= started else { return false }
    return ended.map { time <= $0.advanced(seconds: Double(metric.window)) } ?? true
  }
}
#endif
