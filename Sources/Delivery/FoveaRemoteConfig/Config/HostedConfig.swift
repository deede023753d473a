// SPDX-License-Identifier: Apache-2.0

import FoveaCore
public import FoveaModels
import Synchronization

/// An app's parameters, served by a team's own host, for example which model to load.
///
/// A fetched configuration takes effect when it is activated, so that values do not change while the app uses
/// them. The active values survive a restart and need no network. Only ``fetch(ifOlderThan:)``,
/// ``fetchAndActivate()`` and ``updates()`` open a connection, and only to the host.
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

  /// Creates the configuration of a host with the values that were last active.
  ///
  /// - Parameters:
  ///   - host: The host; nil uses the environment variable `FOVEA_MODEL_HOST`.
  ///   - folder: The folder of models, in which the values are stored; nil uses `FOVEA_MODELS`, else
  ///     `fovea/models` in `XDG_DATA_HOME` or `~/.local/share`.
  ///   - options: The options of fetches.
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

  /// The options of fetches; values out of range are refused when they are used.
  public var options: Options {
    get { state.withLock { $0.options } }
    set { state.withLock { $0.options = newValue } }
  }

  /// Sets the app's defaults for parameters that the host does not set.
  /// - Parameter values: The defaults by key; they replace all previous ones.
  public func setDefaults(_ values: [String: String]) { state.withLock { $0.defaults = values } }

  /// Returns the value of a parameter: from the active configuration, else the app's default, else an empty
  /// value.
  public func value(_ key: String) -> ConfigValue {
    value(key, from: .host) ?? value(key, from: .defaults)
      ?? ConfigValue(text: "", source: .missing, key: key)
  }

  /// The value of a parameter: ``value(_:)``.
  public subscript(_ key: String) -> ConfigValue { value(key) }

  /// Returns the value from one source; nil if it has none.
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

  /// Returns the keys that a source has, sorted.
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

  /// Returns the device's variant of an experiment; nil if the device does not take part in it.
  public func variant(of experiment: String) -> String? {
    variants.first { $0.experiment == experiment }?.variant
  }

  /// The time of the last successful fetch, in seconds since 1970; nil if there was none.
  public var lastFetch: Int? { state.withLock { $0.record.fetchedAt } }

  /// The time until which no request is made, in seconds since 1970; nil if requests are allowed.
  public var pausedUntil: Int? {
    let now = surroundings.seconds
    return state.withLock { state in state.record.pause(now).map { $0 + now } }
  }

  /// Whether the last fetch failed.
  public var hasFailed: Bool { state.withLock { $0.record.hasFailed } }

  /// Activates the last fetched configuration.
  /// - Returns: Whether the active configuration changed.
  /// - Throws: `store` if it cannot be stored; then nothing changes.
  @discardableResult
  public func activate() throws(ConfigError) -> Bool {
    try change { record in
      guard let fetched = record.fetched, fetched != record.active else { return false }
      record.active = fetched
      return true
    }
  }
}

/// An experiment that this device takes part in according to the active configuration.
public struct ConfigVariant: Codable, Sendable, Hashable {
  /// The experiment's id.
  public let experiment: String
  /// The variant's id.
  public let variant: String
  /// The parameters whose values the variant may set.
  public let keys: [String]
}
