// SPDX-License-Identifier: Apache-2.0

import FoveaCore
public import FoveaModels
import Synchronization

/// Logs an experiment's events: that a unit was exposed to its variant, and the values of metrics.
///
/// Events are stored in a file until the host has received them, even across restarts. If the host cannot be
/// reached, sending is retried after about 10 s. Each further pause is twice as long, up to about four hours.
/// If the host asks for a longer pause, it is kept, but for at most four hours. Nothing is sent unless
/// something is logged, and events are sent only to the app's own host. The file holds at most 10,000 events
/// and 1 MiB; beyond that the oldest are dropped and counted.
public final class ExperimentLog: Sendable {
  struct State {
    /// The exposures logged in this process, each of them once.
    var exposures: Set<String> = []
    var sending: Task<Void, Never>?
    /// The number of consecutive failures to send, and the seconds that the host asked to wait.
    var failures = 0
    var wish: Int?
  }

  let place: ConfigPlace
  let file: EventFile
  let surroundings: Surroundings
  let pause: Duration?
  private let user: String?
  private let state = Mutex(State())

  /// Creates the log of a host.
  ///
  /// - Parameters:
  ///   - host: The host; nil uses the environment variable `FOVEA_MODEL_HOST`.
  ///   - folder: The folder of models, in which events are stored; nil uses the user's.
  ///   - user: The app's id for its user, for experiments by user.
  ///   - pause: The delay between an event and sending; nil sends only with `send()`. Default: 10 s.
  /// - Throws: `hostMissing`, `store`.
  public convenience init(
    host: HostAddress? = nil, folder: String? = nil, user: String? = nil, pause: Duration? = .seconds(10)
  ) throws(ConfigError) {
    try self.init(host: host, folder: folder, user: user, pause: pause, in: Surroundings())
  }

  package init(
    host: HostAddress?, folder: String?, user: String?, pause: Duration?, in surroundings: Surroundings
  ) throws(ConfigError) {
    place = try ConfigPlace(host: host, folder: folder)
    file = EventFile(data: place.data, name: "events-\(place.id).jsonl")
    self.user = user
    self.pause = pause
    self.surroundings = surroundings
    // Events left by the last run of the app.
    if try file.read().events.isEmpty == false { sendLater() }
  }

  /// Logs that a unit was exposed to its variant; does nothing the second time in this process.
  /// - Parameters:
  ///   - experiment: The experiment's id.
  ///   - variant: The variant's id.
  ///   - unit: The unit that took part. Default: the device.
  /// - Throws: `invalidOption`, `store`.
  public func exposure(
    experiment: String, variant: String, unit: ExperimentUnit = .installation
  ) throws(ConfigError) {
    let id = try self.id(of: unit)
    let key = "\(experiment)\n\(variant)\n\(id)"
    guard state.withLock({ !$0.exposures.contains(key) }) else { return }
    try log(.init(.exposure(experiment: experiment, variant: variant), unit: id, in: surroundings))
    state.withLock { state in
      if state.exposures.count >= 10_000 { state.exposures = [] }
      state.exposures.insert(key)
    }
  }

  /// Logs the exposure to a hosted model's variant; does nothing for a model without an experiment.
  /// - Throws: `invalidOption` if the experiment's unit is the user and the log has none; `store`.
  public func exposure(of model: HostedModel) throws(ConfigError) {
    guard let experiment = model.experiment, let variant = model.variant else { return }
    try exposure(experiment: experiment, variant: variant, unit: model.unit ?? .installation)
  }

  /// Logs a value of a metric.
  /// - Parameters:
  ///   - name: The metric's name, 1 to 256 bytes.
  ///   - value: A finite number; 1 for "it happened". Default: 1.
  ///   - unit: The unit that the value belongs to. Default: the device.
  /// - Throws: `invalidOption`, `store`.
  public func metric(
    _ name: String, value: Double = 1, unit: ExperimentUnit = .installation
  ) throws(ConfigError) {
    try log(.init(.metric(name: name, value: value), unit: try id(of: unit), in: surroundings))
  }

  /// Returns the numbers of waiting events, and of those dropped since the file was created because it was
  /// full.
  /// - Throws: `store`.
  public func waiting() throws(ConfigError) -> (events: Int, dropped: Int) {
    let content = try file.read()
    return (content.events.count, content.dropped)
  }

  private func id(of unit: ExperimentUnit) throws(ConfigError) -> String {
    switch unit {
    case .installation: return try place.installation()
    case .user:
      guard let user, !user.isEmpty else {
        throw ConfigError(
          .invalidOption, "The experiment's unit is the user, but the log has no user",
          remedy: "Set 'user' to the app's id of the user")
      }
      return user
    }
  }

  private func log(_ event: LoggedEvent) throws(ConfigError) {
    try event.check()
    try file.append(event)
    sendLater()
  }

  /// Sends after the pause, once for all events logged in the meantime.
  private func sendLater() {
    guard let pause else { return }
    state.withLock { state in
      guard state.sending == nil else { return }
      let delay = state.failures == 0 ? pause : Self.pause(state, random: surroundings.random())
      state.sending = Task { [weak self, surroundings] in
        do { try await surroundings.sleep(delay) } catch { return }
        await self?.sendAndGoOn()
      }
    }
  }

  /// Returns 10 s, twice as long after each failure, varied randomly by up to half; longer if the host asks
  /// for it.
  ///
  /// The maximum is four hours.
  private static func pause(_ state: State, random: Double) -> Duration {
    let base = Double(min(10 << min(state.failures - 1, 11), 14_400))
    return .seconds(max(base * (0.5 + random), Double(min(state.wish ?? 0, 14_400))))
  }

  private func sendAndGoOn() async {
    var hasFailed = false
    do throws(ConfigError) { try await send() } catch { hasFailed = true }
    state.withLock { state in
      state.sending = nil
      state.failures = hasFailed ? state.failures + 1 : 0
      if !hasFailed { state.wish = nil }
    }
    // Sends events logged after the last request, and those that the host has not received. If the file
    // cannot be read now, they are sent after the next event.
    if (try? waiting().events) ?? 0 > 0 { sendLater() }
  }

  /// Records how long the host asks to wait.
  func wait(_ seconds: Int?) { state.withLock { $0.wish = seconds } }

  deinit { state.withLock { $0.sending?.cancel() } }
}
