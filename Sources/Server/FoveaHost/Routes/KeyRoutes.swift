// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore
import FoveaHTTP
import HTTPTypes
import Hummingbird

/// Creates, lists and revokes keys.
///
/// A new key is returned once; the host keeps its public half or its digest.
struct KeyRoutes: Sendable {
  let keys: KeyService
  let access: Access

  func add(to router: Router<HTTPContext>) {
    let group = router.group("v1/host/projects/{project}/keys")
    group.get(use: list)
    group.post(use: create)
    group.delete("{key}", use: revoke)
    router.post("v1/host/projects/{project}/keys:rotate", use: rotate)
  }

  @Sendable private func list(_ request: Request, _ context: HTTPContext) async throws -> Response {
    let identity = try await access.native(request, context, scope: .manageKeys)
    let all = try await keys.all()
    return try await access.bodies.list(for: identity) { json in
      json.members(of: HostAnswer.Keys(keys: all.map { HostAnswer.Keys.Key($0) }))
    }
  }

  @Sendable private func create(_ request: Request, _ context: HTTPContext) async throws -> Response {
    let identity = try await access.native(request, context, scope: .manageKeys)
    let body = try await access.bodies.checked(HostRequest.Key.self, request, of: identity)
    try access.recheck(identity)
    guard let role = HostKey.Role(rawValue: body.role) else {
      throw HostError.invalidArgument("A key's role is admin, publisher, viewer or app")
    }
    var expires: Timestamp?
    if let text = body.expires {
      guard let time = Timestamp(text: text) else {
        throw HostError.invalidArgument("'expires' is not a future time such as 2027-06-15T00:00:00Z")
      }
      expires = time
    }
    let properties = KeyProperties(role, label: body.label, universe: body.universe, expires: expires)
    let made = try await keys.add(properties, actor: identity.name)
    return Response(
      status: .ok, headers: [.contentType: "application/json; charset=utf-8", .cacheControl: "no-store"],
      body: ResponseBody(byteBuffer: ByteBuffer(string: made.text)))
  }

  @Sendable private func revoke(_ request: Request, _ context: HTTPContext) async throws -> Response {
    let identity = try await access.native(request, context, scope: .manageKeys)
    try await request.checkNoMembers()
    try access.recheck(identity)
    let text = context.parameters.get("key") ?? ""
    let id = PercentText.decode(text) ?? text
    try HostName.check(key: id)
    try await keys.revoke(id, actor: identity.name)
    return .json { _ in }
  }

  @Sendable private func rotate(_ request: Request, _ context: HTTPContext) async throws -> Response {
    let identity = try await access.native(request, context, scope: .manageKeys)
    try await request.checkNoMembers()
    try access.recheck(identity)
    try await keys.rotateRing(actor: identity.name)
    return .json { _ in }
  }
}
#endif
