// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore
import FoveaHTTP
import HTTPTypes
import Hummingbird

/// Cloud Storage's JSON API for the objects of one bucket, and addresses of them that a service key has signed.
///
/// An object is what a model is made of. It has one version, no type and no metadata of its caller's, and stays for a day,
/// or as long as a version of a model has its bytes.
struct StorageRoutes: Sendable {
  let models: ModelService
  let access: Access
  let objects: SourceObjects
  let ring: KeyRing
  let bucket: String
  let url: String
  /// Largest file that is taken, in bytes.
  let maximum: Int64
  /// Every route of the host, for requests of addresses that are not signed.
  let routes: RouteTable
  let sessions = UploadSessions()

  /// Larger files have to be sent in a resumable upload, which takes no memory.
  static let multipartLimit = 16 << 20

  func add(to router: Router<HTTPContext>) {
    for prefix in ["upload", "resumable/upload"] {
      router.post("\(prefix)/storage/v1/b/{bucket}/o", use: begin)
      router.put("\(prefix)/storage/v1/b/{bucket}/o", use: append)
      router.delete("\(prefix)/storage/v1/b/{bucket}/o", use: cancel)
    }
    router.get("storage/v1/b/{bucket}", use: describe)
    router.get("storage/v1/b/{bucket}/o", use: list)
    router.get("storage/v1/b/{bucket}/o/{object}", use: object)
    router.delete("storage/v1/b/{bucket}/o/{object}", use: remove)
    router.get("download/storage/v1/b/{bucket}/o/{object}", use: download)
    router.get("{bucket}/**", use: readSigned)
    router.head("{bucket}/**", use: readSigned)
    router.put("{bucket}/**", use: writeSigned)
    router.delete("{bucket}/**", use: removeSigned)
  }

  struct Metadata: Decodable, Sendable {
    var name: String?
    var crc32c: String?
  }

  // MARK: Begin

  @Sendable private func begin(_ request: Request, _ context: HTTPContext) async throws -> Response {
    let identity = try await access.admin(request, context, scope: .writeModels)
    try check(context.parameters.get("bucket"))
    let query = try RequestQuery(of: request)
    let conditions = try ObjectConditions(query, request.headers)
    switch query["uploadType"] {
    case "multipart": return try await multipart(request, query, conditions, identity)
    case "resumable": return try await resumable(request, query, conditions, identity)
    case "media": return try await media(request, query, conditions, identity)
    default: throw HostError.invalidUpload("uploadType is not multipart, resumable or media")
    }
  }

  func check(_ name: String?) throws(HostError) {
    guard let name, let decoded = PercentText.decode(name), decoded == bucket else {
      throw HostError(
        .notFound, "There is no such bucket", remedy: "Use '\(bucket)'",
        cause: WireText("The specified bucket does not exist."))
    }
  }

  private func multipart(
    _ request: Request, _ query: RequestQuery, _ conditions: ObjectConditions, _ identity: Identity
  ) async throws -> Response {
    let body = try await request.content(upTo: StorageRoutes.multipartLimit)
    let parts = try MultipartRelated(body, contentType: request.headers[.contentType] ?? "")
    let metadata = try StorageRoutes.metadata(parts.metadata)
    let name = metadata.name ?? query["name"] ?? ""
    try check(object: name, sum: metadata.crc32c)
    try await check(name, conditions)
    let upload = try await models.beginUpload()
    let blob: FinishedBlob
    do {
      try await upload.append(part: Array(parts.content))
      blob = try await finish(upload, sums: [metadata.crc32c, UploadPiece.sum(request.headers)])
    } catch {
      await upload.discard()
      throw error
    }
    let object = try await enter(blob, as: name, if: conditions, access.authority.keyCheck(of: identity))
    return .json { object.write(to: &$0) }
  }

  private func media(
    _ request: Request, _ query: RequestQuery, _ conditions: ObjectConditions, _ identity: Identity
  ) async throws -> Response {
    let object = try await take(request, as: query["name"] ?? "", conditions, identity)
    return .json { object.write(to: &$0) }
  }

  /// Makes a body an object, if the key is still live once all of it is here.
  func take(
    _ request: Request, as name: String, _ conditions: ObjectConditions, _ identity: Identity
  ) async throws -> StoredObject {
    try ContentCoding.requireNone(request.headers[.contentEncoding])
    try check(object: name, sum: nil)
    try await check(name, conditions)
    let upload = try await models.beginUpload()
    let blob: FinishedBlob
    do {
      try await copy(request, to: upload, limit: .max)
      blob = try await finish(upload, sums: [UploadPiece.sum(request.headers)])
      try StorageRoutes.check(request.headers[.xGoogContentSHA256], of: blob)
    } catch {
      await upload.discard()
      throw error
    }
    return try await enter(blob, as: name, if: conditions, access.authority.keyCheck(of: identity))
  }

  /// Compares the bytes with the digest that a signature covers, where it does.
  private static func check(_ digest: String?, of blob: FinishedBlob) throws(HostError) {
    guard let digest, digest != "UNSIGNED-PAYLOAD", digest.lowercased() != blob.sha256 else { return }
    throw HostError(
      .corrupted, "The bytes have the SHA-256 \(blob.sha256), not \(HostName.shown(digest))",
      remedy: "Send them again")
  }

  /// Refuses what cannot be done before its bytes come; ``enter(_:as:if:_:)`` decides.
  func check(_ name: String, _ conditions: ObjectConditions) async throws(HostError) {
    try conditions.check(await models.metadata.object(bucket: bucket, name: name))
  }

  private static func metadata(_ bytes: ArraySlice<UInt8>) throws(HostError) -> Metadata {
    do throws(JSONFailure) { return try JSONValue.decode(Metadata.self, from: bytes) } catch {
      throw .invalidUpload("'\(error.path)' of the metadata is not as expected: \(error.reason)")
    }
  }

  // MARK: Bytes

  /// Writes a body to an upload as it comes; what has come stays where the connection ends, and nothing where more comes
  /// than was announced.
  func copy(_ request: Request, to upload: any BlobUpload, limit: Int64) async throws {
    for try await buffer in request.body {
      let size = upload.size + Int64(buffer.readableBytes)
      guard size <= limit, size <= maximum else {
        try await BlockingWork.run { _ throws(HostError) in try upload.takeBack() }
        throw size <= limit
          ? UploadPiece.tooLarge(maximum)
          : HostError.invalidUpload("More bytes come than Content-Range announces")
      }
      try await upload.append(part: Array(buffer.readableBytesView))
    }
  }

  /// Makes the bytes a blob, where they have the sums that were announced.
  func finish(_ upload: any BlobUpload, sums: [String?]) async throws(HostError) -> FinishedBlob {
    let sum = StoredObject.checksumText(upload.crc32c)
    for expected in sums {
      guard let expected, expected != sum else { continue }
      throw HostError(
        .corrupted, "The bytes have the crc32c \(sum), not \(HostName.shown(expected))",
        remedy: "Send them again")
    }
    return try await BlockingWork.run { _ throws(HostError) in try upload.finish() }
  }

  /// Gives a blob the name of an object, where the one that has it now is as the conditions say and the key is still live.
  func enter(
    _ blob: FinishedBlob, as name: String, if conditions: ObjectConditions, _ keyCheck: @escaping KeyCheck
  ) async throws(HostError) -> StoredObject {
    // Its bytes have just been written and read.
    models.damaged.clear(blob.sha256)
    let time = models.now()
    let object = StoredObject(
      bucket: bucket, name: name, sha256: blob.sha256, size: blob.size, crc32c: blob.crc32c,
      generation: time.milliseconds * 1000 + Int64.random(in: 0..<1000), created: time)
    return try await models.metadata.put(object) { present throws(HostError) in
      try keyCheck()
      try conditions.check(present)
    }
  }

  /// Names that could not be found again as a source of a model are refused at once.
  func check(object name: String, sum: String?) throws(HostError) {
    _ = try ObjectName(bucket: bucket, name: name)
    guard (sum ?? "").utf8.count <= 16 else { throw .invalidUpload("The crc32c is not four bytes in base64") }
  }

  // MARK: Read

  @Sendable private func describe(_ request: Request, _ context: HTTPContext) async throws -> Response {
    _ = try await access.admin(request, context, scope: .readModels)
    try check(context.parameters.get("bucket"))
    return .json { json in
      json.member("kind", "storage#bucket")
      json.member("id", bucket)
      json.member("name", bucket)
    }
  }
}

/// A blob as a source of a file over HTTP.
struct BlobSource: ByteRangeSource {
  let blob: any Blob
  var size: Int64 { blob.size }
  var descriptor: Int32? { blob.descriptor }

  func read(at offset: Int64, into memory: UnsafeMutableRawBufferPointer) throws -> Int {
    try unsafe blob.read(at: offset, into: memory)
  }
}

extension HTTPField.Name {
  static let xGoogHash = HTTPField.Name(parsed: "x-goog-hash") ?? .eTag
  static let xUploadContentLength = HTTPField.Name(parsed: "x-upload-content-length") ?? .eTag
}
#endif
