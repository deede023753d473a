// SPDX-License-Identifier: Apache-2.0

import FoveaCore
public import FoveaModels
import Synchronization

/// Parameters of an app that a team's own host sets, for example which model to load.
///
/// What is fetched takes effect when it is activated, so that values do not change under the app. The active values outlive a
/// restart and need no network. Only ``fetch(ifOlderThan:)``, ``fetchAndActivate()`` and ``updates()`` open a connection, to the host alone.
public final class HostedConfig: Sendable {
  struct State {
    var record = ConfigRecord()
    var defaults: [String: String] = [:]
    var options: Options
  }

  let place: ConfigPlace
  let surroundings: Surroundings
  let state: Mutex<State>
  let fetching = SharedTasks<String, CheckedContinuation<Result<ConfigFetch, ConfigError>, Never>>()

  /// The configuration of a host, as it was active last.
  ///
  /// - Parameters:
  ///   - host: The host; nil for that of the variable `FOVEA_MODEL_HOST`.
  ///   - folder: The folder for models, in which the values are kept; nil for `FOVEA_MODELS`, else `fovea/models` in
  ///     `XDG_DATA_HOME` or `~/.local/share`.
  ///   - options: How often to ask, and what the host hears.
  /// - Throws: `hostMissing`, `store`, `invalidOption`.
  public convenience init(
    host: HostAddress? = nil, folder: String? = nil, options: Options = Options()
  ) throws(ConfigError) {
    try self.init(host: host, folder: folder, options: options, in: Surroundings())
  }

  package init(
    host: HostAddress?, folder: String?, options: Options, in surroundings: Surroundings
  ) throws(ConfigError) {
    try options.check()
    place = try ConfigPlace(host: host, folder: folder, app: options.appID)
    self.surroundings = surroundings
    state = Mutex(State(options: options))
    let record = try read()
    state.withLock { $0.record = record }
  }

  /// How often the host is asked, and what it hears; what is out of range is refused when it is used.
  public var options: Options {
    get { state.withLock { $0.options } }
    set { state.withLock { $0.options = newValue } }
  }

  /// Sets the values that the app has where the host has none.
  /// - Parameter values: By key; in place of all that were set before.
  public func setDefaults(_ values: [String: String]) { state.withLock { $0.defaults = values } }

  /// The value of a parameter: that of the active configuration, else the app's default, else an empty one.
  public func value(_ key: String) -> ConfigValue {
    value(key, from: .host) ?? value(key, from: .defaults)
      ?? ConfigValue(text: "", source: .missing, key: key)
  }

  /// The value of a parameter: ``value(_:)``.
  public subscript(_ key: String) -> ConfigValue { value(key) }

  /// The value that one source has; nil where it has none.
  public func value(_ key: String, from source: ConfigSource) -> ConfigValue? {
    let text = state.withLock { state -> String? in
      switch source {
      case .host: state.record.active?.entries[key]
      case .defaults: state.defaults[key]
      case .missing: nil
      }
    }
    return text.map { ConfigValue(text: $0, source: source, key: key) }
  }

  /// The keys that a source has, sorted.
  public func keys(from source: ConfigSource) -> [String] {
    state.withLock { state -> [String] in
      switch source {
      case .host: (state.record.active?.entries.keys).map { $0.sorted() } ?? []
      case .defaults: state.defaults.keys.sorted()
      case .missing: []
      }
    }
  }

  /// The experiments that this device takes part in, with its variants.
  public var variants: [ConfigVariant] { state.withLock { $0.record.active?.variants ?? [] } }

  /// The variant of an experiment; nil where this device takes no part in it.
  public func variant(of experiment: String) -> String? {
    variants.first { $0.experiment == experiment }?.variant
  }

  /// When a fetch succeeded last, in seconds since 1970; nil for never.
  public var lastFetch: Int? { state.withLock { $0.record.fetchedAt } }

  /// Until when the host is not asked, in seconds since 1970; nil where it may be.
  public var pausedUntil: Int? {
    let now = surroundings.seconds
    return state.withLock { state in state.record.pause(now).map { $0 + now } }
  }

  /// Whether the last fetch failed.
  public var hasFailed: Bool { state.withLock { $0.record.hasFailed } }

  /// Makes what was fetched last the active configuration.
  /// - Returns: Whether that changed something.
  /// - Throws: `store` where it cannot be kept; then nothing changes.
  @discardableResult
  public func activate() throws(ConfigError) -> Bool {
    try change { record in
      guard let fetched = record.fetched, fetched != record.active else { return false }
      record.active = fetched
      return true
    }
  }
}

/// An experiment that this device takes part in by the configuration that is active.
public struct ConfigVariant: Codable, Sendable, Hashable {
  /// The experiment's id.
  public let experiment: String
  /// The variant's id.
  public let variant: String
  /// The parameters whose values the variant may set.
  public let keys: [String]
}
