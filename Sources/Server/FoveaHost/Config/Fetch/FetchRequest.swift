// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore

/// What an app sends to fetch its configuration, in the dialects of Apple's, Android's and Web's clients.
package struct FetchRequest: Sendable, Equatable {
  package var unit: ConfigUnit
  /// The bundle or package, which the answer repeats.
  package var appName: String?

  /// Reads a body.
  /// - Parameters:
  ///   - body: The bytes.
  ///   - coding: `Content-Encoding`.
  /// - Throws: `invalid`, with the name of the field.
  package init(_ body: [UInt8], coding: String?) throws(HostError) {
    let fields = try ClientFields(body, coding: coding)
    guard let appID = try fields.text("app_id", "appId"), !appID.isEmpty else {
      throw ClientFields.refused("The field 'appId' is missing")
    }
    unit = ConfigUnit(
      installation: try fields.text("app_instance_id", "appInstanceId") ?? "",
      user: try fields.text("user_id", "userId"), appID: appID)
    unit.country = try fields.text("country_code", "countryCode")
    unit.language = try fields.text("language_code", "languageCode")
    unit.version = try fields.text("app_version", "appVersion")
    unit.build = try fields.text("app_build", "appBuild")
    unit.timeZone = try fields.text("time_zone", "timeZone")
    unit.firstOpened = try fields.text("first_open_time", "firstOpenTime").flatMap { Timestamp(text: $0) }
    unit.properties = try fields.texts("analytics_user_properties", "analyticsUserProperties")
    unit.signals = try fields.texts("custom_signals", "customSignals")
    appName = try fields.text("package_name", "packageName")
  }
}
#endif
