// SPDX-License-Identifier: Apache-2.0
#if Server
/// An app on a device that asks for its configuration: what conditions are evaluated against.
package struct ConfigUnit: Sendable, Equatable {
  /// The id of the installation.
  package var installation: String
  /// The user's id, where the app has given one; only Fovea's client sends it.
  package var user: String?
  /// As `1:123:android:abc`.
  package var appID: String
  /// A code as `US`.
  package var country: String?
  /// As `en-US`.
  package var language: String?
  package var version: String?
  package var build: String?
  /// As `Europe/Lisbon`.
  package var timeZone: String?
  /// When the app was first opened.
  package var firstOpened: Timestamp?
  /// What Google's analytics knows of the user.
  package var properties: [String: String] = [:]
  /// What the app has set.
  package var signals: [String: String] = [:]

  package init(installation: String, user: String? = nil, appID: String) {
    self.installation = installation
    self.user = user
    self.appID = appID
  }

  /// `ios`, `android` or `web`, out of the app's id; nil where it has another form.
  package var system: String? {
    let parts = appID.split(separator: ":", omittingEmptySubsequences: false)
    guard parts.count >= 4, ["ios", "android", "web"].contains(parts[2]) else { return nil }
    return String(parts[2])
  }

  /// The value of a field; nil where the app has not sent it.
  func text(_ field: ConfigField) -> String? {
    switch field {
    case .system: system
    case .country: country
    case .language: language
    case .appID: appID
    case .version: version
    case .build: build
    case .installation: installation
    case .property(let name): properties[name]
    case .signal(let name): signals[name]
    }
  }
}
#endif
