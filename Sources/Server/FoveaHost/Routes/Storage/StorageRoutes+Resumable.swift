// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore
import FoveaHTTP
import HTTPTypes
import Hummingbird

extension StorageRoutes {
  func resumable(
    _ request: Request, _ query: RequestQuery, _ conditions: ObjectConditions, _ identity: Identity
  ) async throws -> Response {
    let (metadata, body) = try await access.bodies.read(request, of: identity.name, upTo: 1 << 20) { bytes in
      (try JSONBody.value(Metadata.self, of: bytes), DeclaredSums.md5(of: bytes))
    }
    try UnsupportedOption.check(metadata)
    var sums = try DeclaredSums(request.headers, metadata)
    try sums.assignContent(body: body)
    let name = metadata.name ?? query["name"] ?? ""
    try check(object: name)
    try await check(name, conditions)
    var total: Int64?
    if let header = request.headers[.xUploadContentLength] {
      guard let number = Int64(header), number >= 0 else {
        throw HostError.invalidUpload("X-Upload-Content-Length is not a number of bytes")
      }
      guard number <= maximum else { throw UploadPiece.tooLarge(maximum) }
      total = number
    }
    let upload = try await models.blobs.upload(resuming: nil)
    do throws(HostError) { try models.uploads.begin(upload.name, of: identity.key, now: models.now()) } catch
    {
      await upload.cancel()
      throw error
    }
    let session = UploadSession(
      upload: upload.name, object: name, key: identity.key, total: total, crc32c: sums.crc32c,
      md5: sums.md5, created: models.now())
    try await upload.suspend()
    let location =
      "\(url)/resumable/upload/storage/v1/b/\(bucket)/o?uploadType=resumable\(conditions.query)"
      + "&upload_id=\(session.id(ring))"
    return .json(headers: [.location: location]) { _ in }
  }

  /// Appends the next piece of an upload, or reports its progress.
  ///
  /// The id of the session is its secret, as with Google's; clients send their token too.
  @Sendable func append(_ request: Request, _ context: HTTPContext) async throws -> Response {
    try check(context.parameters.get("bucket"))
    try ContentCoding.requireNone(request.headers[.contentEncoding])
    let query = try RequestQuery(of: request)
    // A part may have an option that the start of the upload did not have.
    try UnsupportedOption.check(query, request.headers)
    // The URL of the session contains the conditions with which it was started.
    let conditions = try ObjectConditions(query, [:])
    let session = try await session(query)
    switch models.uploads[session.upload] {
    case .named(let object): return .json { object.write(to: &$0) }
    case .stored(let blob):
      return try await ended(session, blob, [session.sums, DeclaredSums(request.headers)], conditions)
    case nil: break
    }
    let upload = try await resume(session)
    do {
      return try await append(request, to: upload, of: session, conditions)
    } catch {
      if !hasKey(session) {
        await upload.cancel()
      } else if (error as? HostError)?.code == .diskFull {
        // Others need the space, and the session returns to its state before this piece.
        try? await upload.takeBack()
      }
      throw error
    }
  }

  private func append(
    _ request: Request, to upload: any BlobUpload, of session: UploadSession, _ conditions: ObjectConditions
  ) async throws -> Response {
    let piece = try UploadPiece(request.headers, of: session, size: upload.size, maximum: maximum)
    var body: String?
    if let range = piece.range { body = try await copy(request, to: upload, limit: range.upperBound) }
    // Without any length, the upload is complete.
    let total = piece.total ?? (request.headers[.contentRange] == nil ? upload.size : nil)
    let sums = [session.sums, piece.sums]
    let blob: FinishedBlob
    do throws(HostError) {
      guard upload.size == total else {
        try piece.sums.check(part: body)
        // The reported bytes must be durable.
        let size = upload.size
        try await upload.suspend()
        try await checkKey(of: session)
        return StorageRoutes.incomplete(size)
      }
      blob = try await finish(upload, sums: sums, body: body) { () throws(HostError) in
        guard hasKey(session) else { throw StorageRoutes.keyEnded }
      }
    } catch {
      // The session returns to its state before this piece.
      if error.code == .corrupted {
        try await upload.takeBack()
      }
      throw error
    }
    models.uploads.end(session.upload, .stored(blob))
    return try await ended(session, blob, sums, conditions)
  }

  /// Removes the received bytes of an upload, which ends it; answers like Google.
  @Sendable func cancel(_ request: Request, _ context: HTTPContext) async throws -> Response {
    try check(context.parameters.get("bucket"))
    let session = try await session(RequestQuery(of: request))
    guard models.uploads[session.upload] == nil else { throw StorageRoutes.noSession }
    try await resume(session).cancel()
    models.uploads.remove(session.upload)
    return Response(
      status: .init(code: 499, reasonPhrase: "Upload Cancelled"), headers: [.contentLength: "0"])
  }

  /// Returns the session of a query if its key is still valid.
  private func session(_ query: RequestQuery) async throws(HostError) -> UploadSession {
    guard let id = query["upload_id"] else { throw HostError.invalidUpload("There is no upload_id") }
    guard let session = UploadSession(id: id, ring: ring, now: models.now()) else {
      throw StorageRoutes.noSession
    }
    try await checkKey(of: session)
    return session
  }

  /// Refuses a session whose key was revoked, or has expired, since it was started, and removes its bytes:
  /// no one can continue it.
  private func checkKey(of session: UploadSession) async throws(HostError) {
    guard !hasKey(session) else { return }
    models.uploads.remove(session.upload)
    await models.removeUpload(session.upload)
    throw StorageRoutes.keyEnded
  }

  private func hasKey(_ session: UploadSession) -> Bool {
    access.authority.identity(key: session.key)?.scopes.contains(.writeModels) == true
  }

  private static let keyEnded = HostError(
    .unauthenticated, "The key that started this upload was revoked, or has expired",
    remedy: "Start it again with another key")

  private func ended(
    _ session: UploadSession, _ blob: FinishedBlob, _ sums: [DeclaredSums], _ conditions: ObjectConditions
  ) async throws(HostError) -> Response {
    // A piece may take longer to arrive than a key's lifetime.
    let object = try await enter(blob, as: session.object, if: conditions) { () throws(HostError) in
      guard hasKey(session) else { throw StorageRoutes.keyEnded }
    }
    let uploaded = UploadedObject(object, blob, sums)
    models.uploads.end(session.upload, .named(uploaded))
    return .json { uploaded.write(to: &$0) }
  }

  /// After a restart, reads all of its bytes again for their sums.
  private func resume(_ session: UploadSession) async throws(HostError) -> any BlobUpload {
    do throws(HostError) { return try await models.blobs.upload(resuming: session.upload) } catch {
      switch error.code {
      case .notFound where models.metadata.shared != nil:
        // Another node has started the upload, and may have some bytes: this one begins with none. A client
        // that sends all of them in one request notices nothing; the balancer sends the others back.
        try models.uploads.begin(session.upload, of: session.key, now: models.now())
        return try await models.blobs.upload(named: session.upload)
      case .notFound: throw StorageRoutes.noSession
      case .conflict:
        // A broken connection may not be detected yet; clients retry by themselves.
        throw HostError(
          .unavailable, "Another request is writing to this upload",
          remedy: "Query its progress in a few seconds, then continue", cause: error)
      default: throw error
      }
    }
  }

  private static let noSession = HostError(
    .notFound, "There is no upload with that upload_id, or it has ended", remedy: "Start it again")

  /// 308 means "Resume Incomplete" here; `Range` contains the progress.
  private static func incomplete(_ size: Int64) -> Response {
    var headers: HTTPFields = [.contentLength: "0"]
    if size > 0 { headers[.range] = "bytes=0-\(size - 1)" }
    return Response(status: .init(code: 308, reasonPhrase: "Resume Incomplete"), headers: headers)
  }
}
#endif
