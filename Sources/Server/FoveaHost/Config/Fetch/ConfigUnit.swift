// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore

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
  /// The bundle or package, which the reply repeats.
  package var appName: String?

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

extension ConfigUnit {
  /// Reads the body of a fetch, in the dialects of Apple's, Android's and Web's clients.
  /// - Parameters:
  ///   - body: The bytes.
  ///   - coding: `Content-Encoding`.
  /// - Throws: `invalid`, with the name of the field.
  package init(_ body: [UInt8], coding: String?) throws(HostError) {
    let fields = try ClientFields(body, coding: coding)
    guard let appID = try fields.text("app_id", "appId"), !appID.isEmpty else {
      throw ClientFields.refused("The field 'appId' is missing")
    }
    self.init(
      installation: try fields.text("app_instance_id", "appInstanceId") ?? "",
      user: try fields.text("user_id", "userId"), appID: appID)
    country = try fields.text("country_code", "countryCode")
    language = try fields.text("language_code", "languageCode")
    version = try fields.text("app_version", "appVersion")
    build = try fields.text("app_build", "appBuild")
    timeZone = try fields.text("time_zone", "timeZone")
    firstOpened = try fields.text("first_open_time", "firstOpenTime").flatMap { Timestamp(text: $0) }
    properties = try fields.texts("analytics_user_properties", "analyticsUserProperties")
    signals = try fields.texts("custom_signals", "customSignals")
    appName = try fields.text("package_name", "packageName")
  }
}
#endif
