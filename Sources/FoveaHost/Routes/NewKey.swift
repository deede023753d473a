// SPDX-License-Identifier: Apache-2.0
#if Server
  internal import FoveaErrors
  internal import FoveaSystem

  /// A key that was just made: what the host keeps of it, and what its holder gets, once.
  package struct NewKey: Sendable {
    package let key: HostKey
    /// Google's service-account JSON; for an app `{"key": "…"}`.
    package let text: String

    package init(
      role: HostKey.Role, project: String, url: String, universe: String?, expires: Timestamp?, now: Timestamp
    ) throws(HostError) {
      guard role != .app else {
        let app = AppKey.random()
        key = app.hostKey(project: project, created: now, expires: expires)
        var json = JSONText()
        json.object { json in
          json.member("key", app.text)
        }
        text = json.text
        return
      }
      let account = try ServiceAccount.make(
        role: role, project: project, tokenURI: url + "/token", universe: universe)
      key = try account.hostKey(role: role, created: now, expires: expires)
      text = account.json
    }
  }
#endif
