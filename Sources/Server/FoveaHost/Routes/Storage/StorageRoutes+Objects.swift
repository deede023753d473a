// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore
import FoveaHTTP
import HTTPTypes
import Hummingbird

extension StorageRoutes {
  /// Lists objects by prefix, part and page.
  @Sendable func list(_ request: Request, _ context: HTTPContext) async throws -> Response {
    _ = try await access.admin(request, context, scope: .readModels)
    try check(context.parameters.get("bucket"))
    let listing = try ObjectListing(RequestQuery(of: request))
    let page = try await ObjectPage(listing) { object throws(HostError) in
      try await models.blobs.contains(object.sha256)
    } read: { after, limit throws(HostError) in
      try await models.metadata.objects(bucket: bucket, prefix: listing.prefix, after: after, limit: limit)
    }
    return .json { json in
      json.member("kind", "storage#objects")
      if !page.objects.isEmpty {
        json.member("items", page.objects) { json, object in json.object { object.write(to: &$0) } }
      }
      if !page.prefixes.isEmpty { json.member("prefixes", page.prefixes) }
      if let next = page.next { json.member("nextPageToken", next) }
    }
  }

  /// Returns an object's metadata, or with `alt=media` its bytes.
  @Sendable func object(_ request: Request, _ context: HTTPContext) async throws -> Response {
    _ = try await access.admin(request, context, scope: .readModels)
    let query = try RequestQuery(of: request)
    let object = try await object(context, query)
    if query["alt"] == "media" { return try await send(object, query, request, context) }
    if try ObjectConditions(query, request.headers).isKnown(object) {
      return Response(status: .notModified, headers: [.eTag: object.sha256])
    }
    return .json(headers: [.eTag: object.sha256]) { object.write(to: &$0) }
  }

  /// Sends the bytes of an object, also in ranges.
  @Sendable func download(_ request: Request, _ context: HTTPContext) async throws -> Response {
    _ = try await access.admin(request, context, scope: .readModels)
    let query = try RequestQuery(of: request)
    return try await send(object(context, query), query, request, context)
  }

  @Sendable func remove(_ request: Request, _ context: HTTPContext) async throws -> Response {
    _ = try await access.admin(request, context, scope: .writeModels)
    let query = try RequestQuery(of: request)
    let object = try await object(context, query)
    try await remove(object.name, ObjectConditions(query, request.headers))
    return Response(status: .noContent)
  }

  /// Removes the name of an object; its bytes are removed when no version of a model uses them.
  func remove(_ name: String, _ conditions: ObjectConditions) async throws(HostError) {
    try await models.metadata.removeObject(bucket: bucket, name: name) { present throws(HostError) in
      try conditions.check(present)
    }
  }

  private func object(_ context: HTTPContext, _ query: RequestQuery) async throws -> StoredObject {
    try check(context.parameters.get("bucket"))
    guard let name = context.parameters.get("object").flatMap({ PercentText.decode($0) }) else {
      throw HostError.invalidUpload("The name of the object is not UTF-8 with each '/' as %2F")
    }
    return try await object(named: name, generation: query["generation"])
  }

  /// Returns the object with a name if its bytes exist, and if it has the given generation.
  /// - Throws: `not-found`; `invalid` for a generation that is not a number.
  func object(named name: String, generation: String?) async throws(HostError) -> StoredObject {
    let number = try ObjectConditions.number(generation, of: "'generation'")
    if let object = try await models.metadata.object(bucket: bucket, name: name),
      try await models.blobs.contains(object.sha256), number.map({ $0 == object.generation }) ?? true
    {
      return object
    }
    throw HostError(
      .notFound, "There is no object \(HostName.shown(name))",
      remedy: "Upload it: an object that is not a version of a model is kept for a day",
      cause: WireText("No such object: \(bucket)/\(String(name.prefix(200)).printable)"))
  }

  /// Sends an object over HTTP, completely or in ranges.
  func send(
    _ object: StoredObject, _ query: RequestQuery, _ request: Request, _ context: HTTPContext,
    as parameters: SignedParameters? = nil
  ) async throws -> Response {
    var conditions = try ObjectConditions(query, request.headers)
    // The response compares them: its 304 has the headers of a file.
    let otherTags = conditions.otherTags
    conditions.otherTags = nil
    if try conditions.isKnown(object) {
      return Response(status: .notModified, headers: [.eTag: "\"\(object.sha256)\""])
    }
    var answer = FileResponse(tag: "\"\(object.sha256)\"")
    answer.digest = Base64.encode(Hexadecimal.decode(object.sha256) ?? [])
    // Another upload may replace it.
    answer.cacheControl = "private, no-cache"
    answer.channel = context.channel
    if let type = parameters?.contentType { answer.contentType = type }
    answer.conditions = (match: nil, noneMatch: otherTags)
    var response = answer.response(
      to: request, source: BlobSource(blob: try await models.file(object.sha256, size: object.size)))
    response.headers[.xGoogHash] = "crc32c=\(StoredObject.checksumText(object.crc32c))"
    response.headers[.xGoogGeneration] = String(object.generation)
    response.headers[.xGoogMetageneration] = "1"
    response.headers[.xGoogStoredContentLength] = String(object.size)
    guard let parameters, response.headers[.contentType] != nil else { return response }
    response.headers[.contentDisposition] = parameters.contentDisposition
    if parameters.contentType != nil {
      // A page among the objects must not act for those who have signed in to the console.
      response.headers[.contentSecurityPolicy] = "default-src 'none'; sandbox"
    }
    return response
  }
}
#endif
