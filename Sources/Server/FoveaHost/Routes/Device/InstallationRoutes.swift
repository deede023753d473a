// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore
import FoveaHTTP
import HTTPTypes
import Hummingbird

/// Firebase Installations, as far as its clients need it: an id for each device, and tokens that prove it.
///
/// Nothing is stored: the host signs tokens that contain the id.
///
/// **Source:** FirebaseInstallations for iOS, FIRInstallationsAPIService.
struct InstallationRoutes: Sendable {
  let models: ModelService
  let access: Access
  let ring: KeyRing

  func add(to router: Router<HTTPContext>) {
    let group = router.group("v1/projects/{project}/installations")
    group.post(use: create)
    group.post("{fid}/authTokens:generate", use: renew)
    group.delete("{fid}", use: delete)
  }

  private struct Body: Decodable, Sendable { var fid: String? }

  @Sendable private func create(_ request: Request, _ context: HTTPContext) async throws -> Response {
    try access.app(request, RequestQuery(of: request), context)
    let body = try await access.bodies.json(Body.self, request, of: context.client, upTo: BodyWork.short)
    let fid = body.fid ?? ""
    guard InstallationRoutes.isID(fid) else {
      throw HostError.invalidArgument("The installation id is not 1 to 64 letters, digits, '_' or '-'")
    }
    return .json { json in
      json.member("name", "projects/\(models.project)/installations/\(fid)")
      json.member("fid", fid)
      json.member("refreshToken", ring.refreshToken(for: Installation(project: models.project, id: fid)))
      json.member("authToken") { write(fid, &$0) }
    }
  }

  private func write(_ fid: String, _ json: inout JSONText) {
    json.member("token", ring.token(for: Installation(project: models.project, id: fid), now: models.now()))
    json.member("expiresIn", "\(Installation.lifetime)s")
  }

  @Sendable private func renew(_ request: Request, _ context: HTTPContext) async throws -> Response {
    let fid = try installation(request, context)
    return .json { write(fid, &$0) }
  }

  /// Deletes nothing: its tokens expire by themselves.
  @Sendable private func delete(_ request: Request, _ context: HTTPContext) async throws -> Response {
    _ = try installation(request, context)
    return .json { _ in }
  }

  private func installation(_ request: Request, _ context: HTTPContext) throws -> String {
    try access.app(request, RequestQuery(of: request), context)
    let fid = context.parameters.get("fid") ?? ""
    let header = request.headers[.authorization] ?? ""
    let token = header.hasPrefix("FIS_v2 ") ? String(header.dropFirst(7)) : ""
    let owner = Installation(project: models.project, id: fid)
    try access.counted(context) { () throws(HostError) -> Void in
      guard try ring.installation(refreshToken: token) == owner else {
        throw HostError(
          .unauthenticated, "The refresh token does not belong to this installation",
          remedy: "Create the installation again")
      }
    }
    return fid
  }

  /// Firebase's ids have 22 such characters; other clients choose their own.
  private static func isID(_ text: String) -> Bool {
    (1...64).contains(text.utf8.count) && text.isASCIIWord(with: "-_")
  }
}
#endif
