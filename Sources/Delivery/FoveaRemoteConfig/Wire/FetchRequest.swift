// SPDX-License-Identifier: Apache-2.0

import FoveaCore

/// The body of a fetch, with the field names of the Android client; it contains only the app's own facts and
/// the installation id.
enum FetchRequest {
  static func json(_ options: HostedConfig.Options, installation: String) -> String {
    JSONText.text { json in
      json.member("appInstanceId", installation)
      json.member("appId", options.appID)
      json.member("sdkVersion", "fovea")
      if let value = options.appVersion { json.member("appVersion", value) }
      if let value = options.appBuild { json.member("appBuild", value) }
      if let value = options.language { json.member("languageCode", value) }
      if let value = options.country { json.member("countryCode", value) }
      if let value = options.timeZone { json.member("timeZone", value) }
      if let value = options.user { json.member("userId", value) }
      if !options.signals.isEmpty {
        json.member("customSignals") { json in
          for (key, value) in options.signals.sorted(by: { $0.key < $1.key }) {
            json.key(named: key)
            json.string(value)
          }
        }
      }
    }
  }

  /// Returns the body of a request for updates.
  static func stream(_ options: HostedConfig.Options, installation: String, known: Int) -> String {
    JSONText.text { json in
      json.member("appInstanceId", installation)
      json.member("appId", options.appID)
      json.member("sdkVersion", "fovea")
      json.member("namespace", "firebase")
      json.member("lastKnownVersionNumber", String(known))
    }
  }
}
