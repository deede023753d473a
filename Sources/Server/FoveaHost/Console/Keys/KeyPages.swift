// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore
import FoveaHTTP
import HTTPTypes
import Hummingbird

/// The keys of the host: a list, a form that creates one, and the confirmation before one is revoked.
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
    let part = ListPart(keys, call.fields, path: "/console/keys", texts: Self.texts)
    page.add(part.values)
    page.values["keys"] = part.elements.map { Self.row($0, now: now) }
    // Each page has a form of its own, so that one that is sent twice creates one key.
    page.values["number"] = ModelService.newSeed()
    return try await frame.answer(page, call, .keys)
  }

  /// Returns the strings in which a search looks for a key.
  static func texts(_ key: HostKey) -> [String] { [key.id, key.label ?? "", key.name, key.role.rawValue] }

  /// Returns a key as a row of the list.
  static func row(_ key: HostKey, now: Timestamp) -> [String: any Sendable] {
    let isExpired = key.expires.map { $0 <= now } ?? false
    let end = key.revoked ?? key.expires
    var until: [String: any Sendable] = [:]
    if let end { until["time"] = Moment(end) }
    until["word"] = key.revoked != nil ? "revoked" : isExpired ? "expired" : ""
    return [
      "id": key.id, "short": String(key.id.prefix(8)), "role": key.role.rawValue,
      "label": key.label ?? "", "name": key.name, "shortName": KeyName.short(key.name),
      "created": Moment(key.created), "until": until, "isGone": isExpired || key.revoked != nil,
    ]
  }

  @Sendable private func make(_ call: ConsoleCall) async throws -> Response {
    try call.session.identity.require(.manageKeys)
    return try await frame.once(unique: call) { try await add(call) }
  }

  /// Creates the key of a form; the form that is sent again gets the page that revokes it, because the
  /// secret is not kept.
  private func add(_ call: ConsoleCall) async throws -> (response: Response, again: String) {
    let properties = try Self.properties(
      role: call.field("role"), label: call.fields["label"], lastDay: call.fields["expires"], now: now())
    let made = try await keys.add(properties, actor: call.session.identity.name)
    var page = Page(template: "key", title: "The new key")
    page.values["text"] = made.text
    page.values["kind"] = properties.role == .app ? "The app's key" : "The key file"
    return (
      response: try await frame.answer(page, call, .keys),
      again: "\(Self.revocation(of: made.key))?done=\(Notice.keyMade.rawValue)"
    )
  }

  /// Returns the requested key.
  /// - Throws: `invalid` for an invalid role, or a last day that is invalid or not in the future.
  static func properties(
    role: String, label: String?, lastDay: String?, now: Timestamp
  ) throws(HostError) -> KeyProperties {
    guard let known = HostKey.Role(rawValue: role) else {
      throw HostError(
        .invalid, "'\(role.prefix(40))' is not a role", remedy: "Choose admin, publisher, viewer or app")
    }
    var properties = KeyProperties(known)
    // Browsers send empty fields too.
    if let label, !label.isEmpty { properties.label = label }
    if let lastDay, !lastDay.isEmpty {
      guard let end = Timestamp(text: lastDay + "T23:59:59Z"), end > now else {
        throw HostError(
          .invalid, "The last day '\(lastDay.prefix(40))' is not a future day",
          remedy: "Write it as 2027-06-15")
      }
      properties.expires = end
    }
    return properties
  }

  @Sendable private func askRevoke(_ call: ConsoleCall) async throws -> Response {
    try call.session.identity.require(.manageKeys)
    let id = call.path("key")
    guard let key = try await keys.all().first(where: { $0.id == id }) else {
      throw HostError(.notFound, "There is no such key", remedy: "Open the list of keys again")
    }
    guard key.revoked == nil else {
      throw HostError(
        .precondition, "The key \(key.id.prefix(8)) is already revoked", remedy: "Nothing needs to be done")
    }
    let page = Page.confirmation(
      "Revoke the key \(key.id.prefix(8))?", Self.question(key, isOwn: key.id == call.session.identity.key),
      button: "Revoke", action: Self.revocation(of: key), destroys: true, back: "/console/keys")
    return try await frame.answer(page, call, .keys)
  }

  private static func revocation(of key: HostKey) -> String { "/console/keys/\(key.id)/revoke" }

  /// Returns the effect of revoking a key, before it happens.
  static func question(_ key: HostKey, isOwn: Bool) -> String {
    let name = key.label.map { "'\($0)' (\(key.name))" } ?? key.name
    return "The \(key.role.rawValue) key \(name) and everything that it has signed become invalid at once."
      + (key.role == .admin ? " The last key of an administrator is not revoked." : "")
      + (isOwn ? " You are signed in with this key." : "")
  }

  @Sendable private func revoke(_ call: ConsoleCall) async throws -> Response {
    try call.session.identity.require(.manageKeys)
    try await keys.revoke(call.path("key"), actor: call.session.identity.name)
    return frame.redirect("/console/keys", done: .revoked)
  }
}
#endif
