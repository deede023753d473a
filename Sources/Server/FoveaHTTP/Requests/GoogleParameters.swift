// SPDX-License-Identifier: Apache-2.0
#if Server
/// The query parameters common to all Google APIs, which their clients send to any route.
///
/// **Source:** Google Cloud, "System parameters".
package enum GoogleParameters {
  private static let names: Set<String> = [
    "access_token", "alt", "callback", "fields", "key", "oauth_token", "prettyPrint", "quotaUser",
    "uploadType", "upload_protocol", "userIp", "userProject",
  ]

  /// Returns whether a name is one of them; newer ones begin with `$`.
  package static func contains(_ name: String) -> Bool { name.hasPrefix("$") || names.contains(name) }
}
#endif
