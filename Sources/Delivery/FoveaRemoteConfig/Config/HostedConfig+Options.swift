// SPDX-License-Identifier: Apache-2.0

import FoveaCore

extension HostedConfig {
  /// How often the host is asked, and what it hears about the app.
  public struct Options: Sendable, Hashable {
    /// How long what was fetched is new enough, 0 or more.
    ///
    /// Default: 12 hours.
    public var minimumInterval: Duration = .seconds(43_200)
    /// How long a fetch may take, more than 0.
    ///
    /// Default: 60 s.
    public var timeout: Duration = .seconds(60)
    /// The app's id, against which conditions are evaluated, as `1:1234:ios:abcd`.
    ///
    /// Default: `fovea`.
    public var appID = "fovea"
    /// The app's version; nil sends none.
    public var appVersion: String?
    /// The number of the app's build; nil sends none.
    public var appBuild: String?
    /// A code as `en-US`; nil sends none.
    public var language: String?
    /// A code as `US`; nil sends none.
    public var country: String?
    /// A name as `Europe/Lisbon`; nil sends none.
    public var timeZone: String?
    /// The id that the app has for its user; nil sends none, and experiments whose unit is the user have no variant.
    public var user: String?
    /// What conditions may ask the app for, by name.
    public var signals: [String: String] = [:]

    /// The defaults.
    public init() {}

    func check() throws(ConfigError) {
      guard minimumInterval >= .zero, timeout > .zero, !appID.isEmpty else {
        throw ConfigError(
          .invalidOption,
          "minimumInterval is \(minimumInterval), timeout \(timeout) and appID '\(appID)'; they must be 0 or more, "
            + "more than 0, and not empty", remedy: "Choose values in these ranges")
      }
      guard signals.count <= 100 else {
        throw ConfigError(
          .invalidOption, "There are \(signals.count) signals instead of 100 at most",
          remedy: "Set fewer signals")
      }
    }
  }
}
