// SPDX-License-Identifier: Apache-2.0

import FoveaCore
public import FoveaModels
import Synchronization

/// What an app reports about an experiment: that a unit met its variant, and what came of it.
///
/// Events are kept in a file until the host has them, also over a restart; where it cannot be reached, it is asked again after 10 s, and
/// after twice as long each further time, up to four hours, or as long as it says. Nothing is sent if nothing is logged, and what is sent goes to the
/// app's own host. The file has 10,000 events and 1 MiB at most; beyond that the oldest are dropped and counted.
public final class ExperimentLog: Sendable {
  struct State {
    /// The exposures of this process, which are logged once.
    var exposures: Set<String> = []
    var sending: Task<Void, Never>?
    /// How often in a row nothing could be sent, and for how long the host asked to wait, in seconds.
    var failures = 0
    var wish: Int?
  }

  let place: ConfigPlace
  let file: EventFile
  let surroundings: Surroundings
  let pause: Duration?
  private let user: String?
  private let state = Mutex(State())

  /// The log of a host.
  ///
  /// - Parameters:
  ///   - host: The host; nil for that of the variable `FOVEA_MODEL_HOST`.
  ///   - folder: The folder for models, in which events are kept; nil for the user's.
  ///   - user: The id that the app has for its user, for experiments whose unit is the user.
  ///   - pause: How long after an event those that are there are sent; nil for `send()` alone. Default: 10 s.
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
    // What the last run of the app has left.
    if try file.read().events.isEmpty == false { sendLater() }
  }

  /// Logs that a unit met its variant; a second time in this process is no event.
  /// - Parameters:
  ///   - experiment: The experiment's id.
  ///   - variant: The variant's id.
  ///   - unit: Who took part. Default: the device.
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

  /// Logs that the variant of a hosted model is in use; nothing for a model of no experiment.
  /// - Throws: `invalidOption` where its unit is the user and the log has none; `store`.
  public func exposure(of model: HostedModel) throws(ConfigError) {
    guard let experiment = model.experiment, let variant = model.variant else { return }
    try exposure(experiment: experiment, variant: variant, unit: model.unit ?? .installation)
  }

  /// Logs a value of a metric.
  /// - Parameters:
  ///   - name: The metric's name, 1 to 256 bytes.
  ///   - value: A finite number; 1 for "it happened". Default: 1.
  ///   - unit: Whose value it is. Default: the device.
  /// - Throws: `invalidOption`, `store`.
  public func metric(
    _ name: String, value: Double = 1, unit: ExperimentUnit = .installation
  ) throws(ConfigError) {
    try log(.init(.metric(name: name, value: value), unit: try id(of: unit), in: surroundings))
  }

  /// How many events wait, and how many were dropped for want of room since the file was made.
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
          .invalidOption, "The experiment's unit is the user, and the log has no user",
          remedy: "Give the app's id of the user as 'user'")
      }
      return user
    }
  }

  private func log(_ event: LoggedEvent) throws(ConfigError) {
    try event.check()
    try file.append(event)
    sendLater()
  }

  /// Sends after the pause, once for all events that come meanwhile.
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

  /// 10 s, twice as long each time up to four hours, half as much more or less by chance, or as long as the host says.
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
    // Events that came after the last request, and those that were not taken.
    // A file that cannot be read now is sent after the next event.
    if (try? waiting().events) ?? 0 > 0 { sendLater() }
  }

  /// Notes for how long the host asks to wait.
  func wait(_ seconds: Int?) { state.withLock { $0.wish = seconds } }

  deinit { state.withLock { $0.sending?.cancel() } }
}
