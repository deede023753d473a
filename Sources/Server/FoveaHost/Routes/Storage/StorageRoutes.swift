// SPDX-License-Identifier: Apache-2.0
#if Server
import Crypto
import FoveaCore
import FoveaHTTP
import HTTPTypes
import Hummingbird

/// Cloud Storage's JSON API for the objects of one bucket, and their URLs signed by a service key.
///
/// Models are made from objects. An object has one version, no type and no custom metadata, and is kept for a
/// day, or as long as a version of a model has its bytes.
struct StorageRoutes: Sendable {
  let models: ModelService
  let access: Access
  let objects: SourceObjects
  let ring: KeyRing
  let bucket: String
  let url: String
  /// The size of the largest accepted file, in bytes.
  let maximum: Int64
  /// Every route of the host, for requests with unsigned URLs.
  let routes: RouteTable

  /// The maximum size of a multipart upload in bytes; larger files need a resumable upload, which uses no
  /// memory.
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
    var md5Hash: String?
    // Refused by their names.
    var kmsKeyName: UnsupportedOption.Present?
    var customerEncryption: UnsupportedOption.Present?
    var acl: UnsupportedOption.Present?
    var retention: UnsupportedOption.Present?
    var temporaryHold: Bool?
    var eventBasedHold: Bool?
    var contentEncoding: String?
  }

  // MARK: Begin

  @Sendable private func begin(_ request: Request, _ context: HTTPContext) async throws -> Response {
    let identity = try await access.admin(request, context, scope: .writeModels)
    try check(context.parameters.get("bucket"))
    let query = try RequestQuery(of: request)
    try UnsupportedOption.check(query, request.headers)
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
    let type = request.headers[.contentType] ?? ""
    let hasMD5 = request.headers[.contentMD5] != nil
    let limit = StorageRoutes.multipartLimit
    let (parts, metadata, md5) = try await access.bodies.read(
      request, of: identity.name, upTo: limit
    ) { body in
      let parts = try MultipartRelated(body, contentType: type)
      let md5 = hasMD5 ? DeclaredSums.md5(of: body) : nil
      return (parts, try StorageRoutes.metadata(parts.metadata), md5)
    }
    try UnsupportedOption.check(metadata)
    let name = metadata.name ?? query["name"] ?? ""
    let sums = try DeclaredSums(request.headers, metadata)
    try check(object: name)
    try await check(name, conditions)
    let keyCheck = access.authority.keyCheck(of: identity)
    let upload = try await models.blobs.upload(resuming: nil)
    let blob: FinishedBlob
    do {
      try await upload.append(Array(parts.content))
      blob = try await finish(upload, sums: [sums], body: md5, if: keyCheck)
    } catch {
      await upload.cancel()
      throw error
    }
    let object = try await enter(blob, as: name, if: conditions, keyCheck)
    let uploaded = UploadedObject(object, blob, [sums])
    return .json { uploaded.write(to: &$0) }
  }

  private func media(
    _ request: Request, _ query: RequestQuery, _ conditions: ObjectConditions, _ identity: Identity
  ) async throws -> Response {
    let object = try await take(request, as: query["name"] ?? "", conditions, identity)
    return .json { object.write(to: &$0) }
  }

  /// Stores a body as an object, if the key is still valid once it has arrived.
  func take(
    _ request: Request, as name: String, _ conditions: ObjectConditions, _ identity: Identity
  ) async throws -> UploadedObject {
    try ContentCoding.requireNone(request.headers[.contentEncoding])
    let sums = try DeclaredSums(request.headers)
    try check(object: name)
    try await check(name, conditions)
    let keyCheck = access.authority.keyCheck(of: identity)
    let upload = try await models.blobs.upload(resuming: nil)
    let blob: FinishedBlob
    do {
      let body = try await copy(request, to: upload, limit: .max)
      blob = try await finish(upload, sums: [sums], body: body, if: keyCheck)
      try StorageRoutes.check(request.headers[.xGoogContentSHA256], of: blob)
    } catch {
      await upload.cancel()
      throw error
    }
    let object = try await enter(blob, as: name, if: conditions, keyCheck)
    return UploadedObject(object, blob, [sums])
  }

  /// Compares the bytes with the digest that a signature covers, if there is one.
  private static func check(_ digest: String?, of blob: FinishedBlob) throws(HostError) {
    guard let digest, digest != "UNSIGNED-PAYLOAD", digest.lowercased() != blob.sha256 else { return }
    throw HostError(
      .corrupted, "The bytes have the SHA-256 \(blob.sha256), not \(HostName.shown(digest))",
      remedy: "Send the bytes again")
  }

  /// Refuses an impossible request before its bytes arrive; ``enter(_:as:if:_:)`` decides.
  func check(_ name: String, _ conditions: ObjectConditions) async throws(HostError) {
    try conditions.check(await models.metadata.object(bucket: bucket, name: name))
  }

  private static func metadata(_ bytes: ArraySlice<UInt8>) throws(HostError) -> Metadata {
    do throws(JSONFailure) { return try JSONValue.decode(Metadata.self, from: bytes) } catch {
      let place = error.path.isEmpty ? "The metadata" : "'\(error.path)' of the metadata"
      throw .invalidUpload("\(place) is not as expected: \(error.reason)")
    }
  }

  // MARK: Bytes

  /// Streams a body to an upload; received bytes are kept if the connection ends, but dropped if the request
  /// sends more than it announced or is allowed.
  /// - Returns: The MD5 of the body in base64; nil if the request has no `Content-MD5`.
  func copy(_ request: Request, to upload: any BlobUpload, limit: Int64) async throws -> String? {
    var md5: Crypto.Insecure.MD5?
    if request.headers[.contentMD5] != nil { md5 = Crypto.Insecure.MD5() }
    for try await buffer in request.body {
      let size = upload.size + Int64(buffer.readableBytes)
      guard size <= limit, size <= maximum else {
        try await upload.takeBack()
        throw size <= limit
          ? UploadPiece.tooLarge(maximum)
          : HostError.invalidUpload("The body has more bytes than Content-Range announces")
      }
      let bytes = Array(buffer.readableBytesView)
      md5?.update(data: bytes)
      try await upload.append(bytes)
    }
    return md5.map { Base64.encode(Array($0.finalize())) }
  }

  /// Makes the bytes a blob, if they have the announced sums and the key is valid; `body` is the MD5 of the
  /// request's body.
  func finish(
    _ upload: any BlobUpload, sums: [DeclaredSums], body: String?, if keyCheck: KeyCheck
  ) async throws(HostError) -> FinishedBlob {
    for declared in sums { try declared.check(upload, body: body) }
    try keyCheck()
    return try await upload.finish()
  }

  /// Stores a blob as the object with a name, if the current object meets the conditions and the key is
  /// valid.
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

  /// Refuses names that could not be used as a model's source later.
  func check(object name: String) throws(HostError) {
    _ = try ObjectName(bucket: bucket, name: name)
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
  static let xUploadContentLength = HTTPField.Name(parsed: "x-upload-content-length") ?? .eTag
}
#endif
