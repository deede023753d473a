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
  ///   - order: The properties of the key.
  ///   - project: The project of the host.
  ///   - url: The URL at which clients reach the host.
  ///   - now: The present.
  /// - Throws: `invalid` for an expiry in the past, and for an invalid name.
  package init(_ order: KeyOrder, project: String, url: String, now: Timestamp) throws(HostError) {
    try order.check(now: now)
    guard order.role != .app else {
      let app = AppKey.random()
      key = app.hostKey(project: project, created: now, expires: order.expires, label: order.label)
      text = JSONText.text { $0.member("key", app.text) }
      return
    }
    let account = try ServiceAccount.make(
      role: order.role, project: project, tokenURI: url + "/token", universe: order.universe)
    key = try account.hostKey(role: order.role, created: now, expires: order.expires, label: order.label)
    text = account.json
  }
}
#endif
