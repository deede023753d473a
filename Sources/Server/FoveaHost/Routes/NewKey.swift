// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore

/// A new key: the data that the host stores, and the text that its holder gets once.
package struct NewKey: Sendable {
  package let key: HostKey
  /// Google's service-account JSON; for an app `{"key": "…"}`.
  package let text: String

  /// Creates a key.
  /// - Parameters:
  ///   - properties: The properties of the key.
  ///   - project: The project of the host.
  ///   - url: The URL at which clients reach the host.
  ///   - now: The current time.
  /// - Throws: `invalid` for an expiry in the past, and for an invalid universe or name.
  package init(_ properties: KeyProperties, project: String, url: String, now: Timestamp) throws(HostError) {
    try properties.check(now: now)
    guard properties.role != .app else {
      let app = AppKey.random()
      key = app.hostKey(project: project, created: now, expires: properties.expires, label: properties.label)
      text = JSONText.text { $0.member("key", app.text) }
      return
    }
    let account = try ServiceAccount.make(
      role: properties.role, project: project, tokenURI: url + "/token", universe: properties.universe)
    key = try account.hostKey(
      role: properties.role, created: now, expires: properties.expires, label: properties.label)
    text = account.json
  }
}
#endif
