// SPDX-License-Identifier: Apache-2.0

import FoveaCore

extension HostedConfig {
  /// Options for fetches, and the facts about the app that are sent with them.
  public struct Options: Sendable, Hashable {
    /// The time for which a fetched configuration is recent enough, 0 or more.
    ///
    /// Default: 12 hours.
    public var minimumInterval: Duration = .seconds(43_200)
    /// The timeout of a fetch, more than 0.
    ///
    /// Default: 60 s.
    public var timeout: Duration = .seconds(60)
    /// The app's id for the host's conditions, such as `1:1234:ios:abcd`.
    ///
    /// Default: `fovea`.
    public var appID = "fovea"
    /// The app's version; nil sends none.
    public var appVersion: String?
    /// The app's build number; nil sends none.
    public var appBuild: String?
    /// A language code such as `en-US`; nil sends none.
    public var language: String?
    /// A country code such as `US`; nil sends none.
    public var country: String?
    /// A time zone's name such as `Europe/Lisbon`; nil sends none.
    public var timeZone: String?
    /// The app's id of its user; nil sends none, and experiments by user then have no variant.
    public var user: String?
    /// The values of custom signals for the host's conditions, by name; at most 100.
    public var signals: [String: String] = [:]

    /// Creates the default options.
    public init() {}

    func check() throws(ConfigError) {
      guard minimumInterval >= .zero, timeout > .zero, !appID.isEmpty else {
        throw ConfigError(
          .invalidOption,
          "minimumInterval is \(minimumInterval), timeout \(timeout) and appID '\(appID)'; they must be"
            + " 0 or more, more than 0, and not empty", remedy: "Choose values in these ranges")
      }
      guard signals.count <= 100 else {
        throw ConfigError(
          .invalidOption, "There are \(signals.count) signals; at most 100 are allowed",
          remedy: "Set fewer signals")
      }
    }
  }
}
