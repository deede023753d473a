// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore
import FoveaHTTP
import HTTPTypes
import Hummingbird

/// The route that publishes a file, and the operation that a publish becomes if its sender does not want to
/// wait.
struct PublishRoutes: Sendable {
  let models: ModelService
  let access: Access

  func add(to router: Router<HTTPContext>) {
    let group = router.group("v1/host/projects/{project}")
    group.post("models/{model}/versions", use: publish)
    group.get("operations/{operation}", use: operation)
    group.post("operations/{operation}:cancel", use: cancel)
  }

  @Sendable private func publish(_ request: Request, _ context: HTTPContext) async throws -> Response {
    let identity = try await access.native(
      request, context, scope: .publishModels, query: ["channel", "notes"])
    try models.checks.admit(identity.name)
    try ContentCoding.requireNone(request.headers[.contentEncoding])
    let query = try RequestQuery(of: request)
    let name = try NativeRoutes.name(context)
    let channel = query["channel"] ?? HostModel.stable
    let notes = query["notes"] ?? ""
    try HostName.checkPublish(of: name, channel: channel, notes: notes)
    let keyCheck = access.authority.keyCheck(of: identity)
    let blob = try await blob(of: request, if: keyCheck)
    let id = ModelService.newSeed()
    let work: @Sendable () async throws(HostError) -> PublishedVersion = { [models] () throws(HostError) in
      try await models.publish(
        blob: blob, name: name, channel: channel, notes: notes, actor: identity.name, keyCheck: keyCheck,
        operation: id)
    }
    guard PublishRoutes.isPatient(request) else {
      // Nothing reads the result of a check whose sender has disconnected.
      return PublishRoutes.done(try await context.whilePeerWaits { try await work() })
    }
    models.operations.begin(publish: id, of: name, by: identity.name, work)
    // A sender that leaves before the answer never learns the operation's name.
    let forget = context.whenPeerGoes { [models] in models.operations.cancel(publish: id) }
    await models.operations.wait(id, atMost: .milliseconds(500))
    forget()
    return try await answer(id)
  }

  /// Stores the bytes of a request, if its key is still valid once they have arrived and they have the
  /// checksums that the caller declares.
  private func blob(of request: Request, if keyCheck: KeyCheck) async throws -> FinishedBlob {
    let sums = try DeclaredSums(request.headers)
    let upload = try await models.blobs.upload(resuming: nil)
    do {
      for try await buffer in request.body {
        try await upload.append(Array(buffer.readableBytesView))
      }
      try sums.check(upload, body: nil)
      try keyCheck()
      let blob = try await upload.finish()
      try PublishRoutes.check(request.headers[.reprDigest], of: blob)
      return blob
    } catch {
      await upload.cancel()
      throw error
    }
  }

  /// Compares the bytes with the digest announced by the caller (RFC 9530), if there is one.
  private static func check(_ header: String?, of blob: FinishedBlob) throws(HostError) {
    guard let header, let start = header.firstRange(of: "sha-256=:")?.upperBound else { return }
    let expected = Base64.encode(Hexadecimal.decode(blob.sha256) ?? [])
    guard header[start...].prefix(while: { $0 != ":" }) != expected else { return }
    throw HostError(
      .corrupted, "The bytes have the SHA-256 \(blob.sha256), which differs from Repr-Digest",
      remedy: "Send the file again")
  }

  // MARK: Operations

  /// Whether the sender accepts an operation instead of the version (RFC 7240): old clients know only the
  /// version.
  private static func isPatient(_ request: Request) -> Bool {
    (request.headers[.prefer] ?? "").split(separator: ",").contains { preference in
      String(preference.prefix { $0 != ";" }).trimmingBlanks.lowercased() == "respond-async"
    }
  }

  @Sendable private func operation(_ request: Request, _ context: HTTPContext) async throws -> Response {
    _ = try await access.native(request, context, scope: .publishModels)
    let id = try id(context)
    models.operations.ask(for: id)
    return try await answer(id)
  }

  /// Cancels the check of a publish, like `google.longrunning.Operations.CancelOperation`: the response is
  /// empty, and the operation shows the result.
  @Sendable private func cancel(_ request: Request, _ context: HTTPContext) async throws -> Response {
    let identity = try await access.native(request, context, scope: .publishModels)
    try await request.checkNoMembers()
    try access.recheck(identity)
    let id = try id(context)
    let own = models.operations.publish(id)
    let sender: String? =
      if let own { own.sender } else { try await models.operation(elsewhere: id)?.sender }
    guard let sender else { throw PublishRoutes.unknown }
    guard sender == identity.name || identity.role == .admin else {
      throw HostError(
        .forbidden, "The operation belongs to another key",
        remedy: "Use the key that sent the file, or an administrator's key")
    }
    if own == nil {
      try await models.cancel(elsewhere: id)
    } else {
      models.operations.cancel(publish: id)
      await models.operations.wait(id, atMost: .milliseconds(500))
    }
    return .json { _ in }
  }

  /// Returns the name of the operation in the path.
  /// - Throws: `invalid`.
  private func id(_ context: HTTPContext) throws(HostError) -> String {
    let text = context.parameters.get("operation") ?? ""
    let id = PercentText.decode(text) ?? text
    guard id.utf8.count == 16, Hexadecimal.decode(id) != nil else {
      throw .invalidArgument(
        "\(HostName.shown(id)) is not the id of an operation, which has 16 lower-case hexadecimal digits")
    }
    return id
  }

  private static let unknown = HostError(
    .notFound, "There is no such operation, or the host has restarted since",
    remedy: "List the versions of the model; publish the file again if it is missing")

  /// Returns the result of a publish, or its progress.
  private func answer(_ id: String) async throws -> Response {
    guard let publish = models.operations.publish(id) else {
      guard let shared = try await models.operation(elsewhere: id), shared.sender != nil else {
        throw PublishRoutes.unknown
      }
      guard let outcome = shared.outcome else { return pending(id, of: shared.model) }
      return try Self.done(outcome.result { () throws(HostError) in try models.model(shared.model) })
    }
    guard let result = publish.result else {
      await models.share(id)
      return pending(id, of: publish.model)
    }
    return try Self.done(result)
  }

  private static func done(_ result: Result<PublishedVersion, HostError>) throws -> Response {
    if case .failure(let error) = result, [.cancelled, .unauthenticated].contains(error.code) {
      // Their own statuses mean a caller that has left, and an invalid key of this request.
      throw Refusal(.conflict, error.code.rawValue, error.message, remedy: error.remedy.description)
    }
    return PublishRoutes.done(try result.get())
  }

  private static func done(_ made: PublishedVersion) -> Response {
    .json { $0.members(of: HostAnswer.Published(made)) }
  }

  private func pending(_ id: String, of model: String) -> Response {
    let before = models.checks.before(id)
    let place = "/v1/host/projects/\(models.project)/operations/\(id)"
    let operation = HostAnswer.Operation(
      model: model, operation: id, state: before == nil ? "checking" : "waiting", before: before)
    var response = Response.json(headers: [.location: place, .retryAfter: "1"]) {
      $0.members(of: operation, hasNulls: false)
    }
    response.status = .accepted
    return response
  }
}

extension HTTPField.Name {
  static let prefer = HTTPField.Name(parsed: "prefer") ?? .authorization
}
#endif
