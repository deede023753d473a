// SPDX-License-Identifier: Apache-2.0
#if Server
  internal import FoveaErrors
  internal import FoveaHTTP
  internal import FoveaHost
  internal import HTTPTypes
  internal import Hummingbird

  /// The keys of the host: a list, a form that makes one, and the question before one is revoked.
  struct KeyPages: Sendable {
    let frame: PageFrame
    let keys: KeyService
    let now: Now

    func add(to router: Router<HTTPContext>) {
      frame.get("console/keys", router, list)
      frame.post("console/keys", router, make)
      frame.get("console/keys/{key}/revoke", router, askRevoke)
      frame.post("console/keys/{key}/revoke", router, revoke)
    }

    @Sendable private func list(_ call: ConsoleCall) async throws -> Response {
      try call.session.identity.require(.manageKeys)
      let now = now()
      let keys = try await keys.all().sorted { $0.created > $1.created }
      var page = Page(template: "keys", title: "Keys")
      let part = ListPart(keys, call.fields, path: "/console/keys") { [$0.id, $0.name, $0.role.rawValue] }
      page.add(part.values)
      page.values["keys"] = part.elements.map { key -> [String: Any] in
        let isExpired = key.expires.map { $0 <= now } ?? false
        let end = key.revoked ?? key.expires
        var until: [String: Any] = [:]
        if let end { until["time"] = Moment(end) }
        until["word"] = key.revoked != nil ? "revoked" : isExpired ? "expired" : ""
        return [
          "id": key.id, "short": String(key.id.prefix(8)), "role": key.role.rawValue, "name": key.name,
          "shortName": KeyName.short(key.name),
          "created": Moment(key.created), "until": until, "isGone": isExpired || key.revoked != nil,
        ]
      }
      return try frame.answer(page, call, .keys)
    }

    @Sendable private func make(_ call: ConsoleCall) async throws -> Response {
      try call.session.identity.require(.manageKeys)
      let text = try call.field("role")
      guard let role = HostKey.Role(rawValue: text) else {
        throw HostError(
          .invalid, "The role is '\(text.prefix(40))'", remedy: "Choose admin, publisher, viewer or app")
      }
      var expires: Timestamp?
      if let day = call.fields["expires"], !day.isEmpty {
        guard let end = Timestamp(text: day + "T23:59:59Z"), end > now() else {
          throw HostError(
            .invalid, "The last day '\(day.prefix(40))' is not a day to come", remedy: "Give it as 2027-06-15"
          )
        }
        expires = end
      }
      let made = try await keys.add(
        role, universe: nil, expires: expires, actor: call.session.identity.name)
      var page = Page(template: "key", title: "The new key")
      page.values["text"] = made.text
      page.values["kind"] = role == .app ? "The app's key" : "The key file"
      return try frame.answer(page, call, .keys)
    }

    @Sendable private func askRevoke(_ call: ConsoleCall) async throws -> Response {
      try call.session.identity.require(.manageKeys)
      let id = call.path("key")
      guard let key = try await keys.all().first(where: { $0.id == id }) else {
        throw HostError(.notFound, "There is no such key", remedy: "Open the list of keys again")
      }
      var page = Page(template: "confirm", title: "Revoke the key \(key.id.prefix(8))?")
      let own = key.id == call.session.identity.key ? " It is the key that you are signed in with." : ""
      page.values["question"] =
        "The \(key.role.rawValue) key \(key.name) and all that it has signed are void at once.\(own)"
      page.values["action"] = "/console/keys/\(key.id)/revoke"
      page.values["button"] = "Revoke"
      page.values["destroys"] = true
      page.values["back"] = "/console/keys"
      return try frame.answer(page, call, .keys)
    }

    @Sendable private func revoke(_ call: ConsoleCall) async throws -> Response {
      try call.session.identity.require(.manageKeys)
      try await keys.revoke(call.path("key"), actor: call.session.identity.name)
      return frame.redirect("/console/keys", done: .revoked)
    }
  }
#endif
