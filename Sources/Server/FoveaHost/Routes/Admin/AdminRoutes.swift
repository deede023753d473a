// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore
import FoveaHTTP
import HTTPTypes
import Hummingbird

/// Firebase's admin API for models: `firebaseml` v1beta2.
///
/// **Source:** its discovery document, revision 20240705, and the messages that Google's own tests compare.
struct AdminRoutes: Sendable {
  let models: ModelService
  let experiments: ExperimentService
  let access: Access
  let objects: SourceObjects

  func add(to router: Router<HTTPContext>) {
    let group = router.group("v1beta2/projects/{project}")
    group.post("models", use: create)
    group.get("models", use: list)
    group.get("models/{model}", use: get)
    group.patch("models/{model}", use: patch)
    group.delete("models/{model}", use: delete)
    group.get("operations/{operation}", use: operation)
  }

  // MARK: Create and change

  @Sendable private func create(_ request: Request, _ context: HTTPContext) async throws -> Response {
    let identity = try await access.google(request, context, scope: .writeModels)
    let body = try await access.bodies.checked(ModelBody.self, request, of: identity)
    let address = try body.file()
    guard body.isRead || body.state?.published != true else {
      throw HostError(
        .invalid, "'state.published' is true, but a new model is not published before its file was checked",
        remedy: "Create the model without it, then change it with updateMask=state.published")
    }
    do throws(HostError) {
      var object: StoredObject?
      if let address { object = try await objects.object(at: address) }
      let model = try await models.create(
        name: body.displayName ?? "", tags: body.tags ?? [], object: object, isNew: body.isRead,
        by: access.authority.sender(identity))
      return await ended(model)
    } catch {
      return AdminRoutes.failed(error)
    }
  }

  /// Returns the finished operation of a model's check if it ends within half a second; otherwise an
  /// operation to poll.
  private func ended(_ model: HostModel) async -> Response {
    guard let operation = model.pendingOperations.last else {
      return .json { OperationView.done(model, to: &$0) }
    }
    await models.operations.wait(operation, atMost: .milliseconds(500))
    switch models.operations[operation] {
    case .ended(.success(let model)): return .json { OperationView.done(model, to: &$0) }
    case .ended(.failure(let error)): return AdminRoutes.failed(error)
    case .pending, nil:
      await models.share(operation)
      return .json { json in
        OperationView.pending(operation, model: model, to: &json)
        json.member("done", false)
      }
    }
  }

  /// Errors of changes are reported in an ended operation, with status 200.
  private static func failed(_ error: HostError) -> Response {
    if error.refusal.status.code >= 500 { return RequestLog.response(error.refusal, .google) }
    return .json { OperationView.failed(error, to: &$0) }
  }

  /// The parameters of a change, in both spellings of Google's APIs.
  private static let masks = ["updateMask", "update_mask"]

  @Sendable private func patch(_ request: Request, _ context: HTTPContext) async throws -> Response {
    let identity = try await access.google(
      request, context, scope: .writeModels, query: AdminRoutes.masks)
    let mask = try ModelMask(RequestQuery(of: request)["updateMask", "update_mask"])
    let body = try await access.bodies.checked(ModelBody.self, request, of: identity)
    let address = try body.file()
    guard mask?.hasName != true || body.displayName != nil, mask?.hasFile != true || address != nil else {
      throw HostError(
        .invalid, "'updateMask' names a member that the body does not have", remedy: "Send its new value")
    }
    let id = context.parameters.get("model") ?? ""
    let known = models.catalogue.model(project: models.project, named: id)
    if known == nil { try AdminRoutes.check(id) }
    let publishes = mask?.hasState ?? known.map(body.changesState) ?? false
    if publishes { try identity.require(.publishModels) }
    do throws(HostError) {
      guard let present = known else {
        throw HostError(
          .notFound, "Model 'projects/\(models.project)/models/\(id)' was not found",
          remedy: "List the models",
          cause: WireText.modelNotFound(project: models.project, id: id))
      }
      if let tag = request.headers[.ifMatch], tag != "*",
        tag.filter({ $0 != "\"" }) != ModelView.tag(present)
      {
        throw HostError(.conflict, "The model has changed since it was read", remedy: "Read it again")
      }
      return try await apply(body, address, mask, publishes: publishes, to: present, by: identity)
    } catch {
      return AdminRoutes.failed(error)
    }
  }

  private func apply(
    _ body: ModelBody, _ address: String?, _ mask: ModelMask?, publishes: Bool, to present: HostModel,
    by identity: Identity
  ) async throws(HostError) -> Response {
    let sender = access.authority.sender(identity)
    let names = mask?.hasName ?? true
    let tags = mask?.hasTags ?? true
    if names, let name = body.displayName, !HostName.isName(name) {
      throw .invalidArgument("The display name is not 1 to 32 letters, digits, '_' or '-'")
    }
    var object: StoredObject?
    if mask?.hasFile ?? true, let address, address != present.source || mask != nil {
      object = try await objects.object(at: address)
      // A whole object that is sent back names the current file.
      if object?.sha256 == present.currentVersion?.sha256 && object != nil { object = nil }
    }
    let isPublished = body.state?.published ?? false
    let time = models.now()
    var model = present
    if names || tags || publishes {
      model = try await models.deliver(
        present.id, actor: sender.name, action: publishes ? "model.publish" : "model.update"
      ) {
        (model: inout HostModel) throws(HostError) in
        try sender.check()
        if names, let name = body.displayName { model.name = name }
        // As in Google's APIs, a mask without a value clears it.
        if tags, let tags = body.tags ?? (mask == nil ? nil : []) { model.tags = tags }
        if publishes {
          if isPublished { try model.publish() } else { model.unpublish() }
        }
        model.updated = time
      }
    }
    if let object {
      model = try await models.attach(object, to: present.id, by: sender)
    }
    return await ended(model)
  }

  // MARK: Read and delete

  @Sendable private func get(_ request: Request, _ context: HTTPContext) async throws -> Response {
    _ = try await access.google(request, context, scope: .readModels)
    let model = try model(context)
    return .json(headers: [.eTag: ModelView.tag(model)]) { ModelView(model: model).write(to: &$0) }
  }

  @Sendable private func delete(_ request: Request, _ context: HTTPContext) async throws -> Response {
    let identity = try await access.google(request, context, scope: .writeModels)
    try await experiments.deleteModel(model(context).id, actor: identity.name)
    return .json { _ in }
  }

  private func model(_ context: HTTPContext) throws(HostError) -> HostModel {
    let id = context.parameters.get("model") ?? ""
    if let model = models.catalogue.model(project: models.project, named: id) { return model }
    try AdminRoutes.check(id)
    return try models.model(id)
  }

  /// Ids are numbers: another string is the name of an existing model, or a mistake.
  private static func check(_ id: String) throws(HostError) {
    guard (1...60).contains(id.utf8.count), id.utf8.allSatisfy(\.isASCIIDigit) else {
      throw .invalidArgument(
        "\(HostName.shown(PercentText.decode(id) ?? id)) is not the id of a model, which is a number, "
          + "or a name"
      )
    }
  }

  @Sendable private func list(_ request: Request, _ context: HTTPContext) async throws -> Response {
    _ = try await access.google(request, context, scope: .readModels, query: ModelPage.parameters)
    let query = try RequestQuery(of: request)
    let page = try ModelPage(query, of: models.catalogue.models(project: models.project))
    return .json { json in
      if !page.models.isEmpty {
        json.member("models", page.models) { json, model in
          json.object { ModelView(model: model).write(to: &$0) }
        }
      }
      if let next = page.next { json.member("nextPageToken", next) }
    }
  }

  @Sendable private func operation(_ request: Request, _ context: HTTPContext) async throws -> Response {
    _ = try await access.google(request, context, scope: .readModels)
    let text = context.parameters.get("operation") ?? ""
    let id = PercentText.decode(text) ?? text
    guard id.utf8.count == 16, Hexadecimal.decode(id) != nil else {
      throw HostError.invalidArgument(
        "\(HostName.shown(id)) is not the id of an operation, which has 16 lower-case hexadecimal digits")
    }
    switch models.operations[id] {
    case .ended(.success(let model)): return Self.done(id, model)
    case .ended(.failure(let error)): return .json { OperationView.failed(error, to: &$0) }
    case .pending(let modelID): return try pending(id, of: modelID)
    case nil:
      guard let shared = try await models.operation(elsewhere: id) else { throw HostError.entityNotFound }
      switch shared.outcome {
      case .checked: return Self.done(id, try models.model(shared.model))
      case .published: throw HostError.entityNotFound
      case .failed(let failed): return .json { OperationView.failed(failed.error, to: &$0) }
      case nil: return try pending(id, of: shared.model)
      }
    }
  }

  private static func done(_ id: String, _ model: HostModel) -> Response {
    .json { json in
      json.member("name", OperationView.name(id, model))
      OperationView.done(model, to: &json)
    }
  }

  private func pending(_ id: String, of modelID: String) throws(HostError) -> Response {
    let model = try models.model(modelID)
    return .json { OperationView.pending(id, model: model, to: &$0) }
  }
}
#endif
