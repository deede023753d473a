// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore

/// An app on a device that fetches its configuration: the subject of conditions.
package struct ConfigUnit: Sendable, Equatable {
  /// The id of the installation.
  package var installation: String
  /// The user's id, if the app has set one; only Fovea's client sends it.
  package var user: String?
  /// For example `1:123:android:abc`.
  package var appID: String
  /// A code such as `US`.
  package var country: String?
  /// For example `en-US`.
  package var language: String?
  package var version: String?
  package var build: String?
  /// For example `Europe/Lisbon`.
  package var timeZone: String?
  /// The time at which the app was first opened.
  package var firstOpened: Timestamp?
  /// The user properties of Google's analytics.
  package var properties: [String: String] = [:]
  /// The custom signals set by the app.
  package var signals: [String: String] = [:]
  /// The bundle or package name, which the reply repeats.
  package var appName: String?

  package init(installation: String, user: String? = nil, appID: String) {
    self.installation = installation
    self.user = user
    self.appID = appID
  }

  /// `ios`, `android` or `web`, from the app's id; nil if it has a different form.
  package var system: String? {
    let parts = appID.split(separator: ":", omittingEmptySubsequences: false)
    guard parts.count >= 4, ["ios", "android", "web"].contains(parts[2]) else { return nil }
    return String(parts[2])
  }

  /// Returns the value of a field; nil if the app has not sent it.
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

  /// The fields that the app has sent, or that the host knows.
  var fields: [(name: ConfigField, value: String)] {
    let known: [ConfigField] = [.system, .country, .language, .appID, .version, .build, .installation]
    var fields: [(name: ConfigField, value: String)] = []
    for name in known {
      if let value = text(name) { fields.append((name, value)) }
    }
    for (name, value) in properties { fields.append((.property(name), value)) }
    for (name, value) in signals { fields.append((.signal(name), value)) }
    return fields
  }
}

extension ConfigUnit {
  /// Reads the body of a fetch, in the dialects of the Apple, Android and Web clients.
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
