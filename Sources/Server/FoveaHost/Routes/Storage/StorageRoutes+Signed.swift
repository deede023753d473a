// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore
import FoveaHTTP
import HTTPTypes
import Hummingbird

/// `/BUCKET/NAME` with the signature of a service key in the query: anyone who has the URL may perform that
/// action.
extension StorageRoutes {
  @Sendable func readSigned(_ request: Request, _ context: HTTPContext) async throws -> Response {
    let address = try signed(request, .readModels)
    let query = try RequestQuery(of: request)
    let object = try await object(named: address.object.name, generation: query["generation"])
    return try await send(object, query, request, context, as: address.parameters)
  }

  @Sendable func writeSigned(_ request: Request, _ context: HTTPContext) async throws -> Response {
    let address = try signed(request, .writeModels)
    let (name, signer) = (address.object.name, address.signer)
    let query = try RequestQuery(nil)
    try UnsupportedOption.check(query, request.headers)
    let uploaded = try await take(request, as: name, ObjectConditions(query, request.headers), signer)
    let object = uploaded.object
    return Response(
      status: .ok,
      headers: [
        .eTag: "\"\(object.sha256)\"", .contentLength: "0",
        .xGoogHash: uploaded.hash,
        .xGoogGeneration: String(object.generation), .xGoogMetageneration: "1",
        .xGoogStoredContentLength: String(object.size),
      ])
  }

  @Sendable func removeSigned(_ request: Request, _ context: HTTPContext) async throws -> Response {
    let name = try signed(request, .writeModels).object.name
    _ = try await object(named: name, generation: nil)
    try await remove(name, ObjectConditions(RequestQuery(nil), request.headers))
    return Response(status: .noContent)
  }

  /// Returns the verified URL of a request.
  /// - Throws: The refusal of an unknown route if the URL is not signed; `forbidden`, `expired`, `invalid`.
  private func signed(_ request: Request, _ scope: Scope) throws -> SignedObjectURL {
    let query = request.uri.query.map { String($0) } ?? ""
    let isSigned = ["X-Goog-Signature=", "GoogleAccessId="].contains(where: query.contains)
    guard isSigned else { throw routes.refusal(request.method, request.uri.path) }
    let address = try SignedObjectURL(
      method: request.method.rawValue, path: request.uri.path, query: query, headers: request.headers,
      authority: access.authority)
    guard address.signer.project == access.project else { throw Identity.unknownProject }
    try address.signer.require(scope)
    try check(address.object.bucket)
    return address
  }
}
#endif
