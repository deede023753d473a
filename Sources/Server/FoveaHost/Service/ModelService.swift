// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore

/// The operations on models of both APIs, Firebase's and the host's own: each change is one transaction, an
/// audit row and a new catalogue entry.
package struct ModelService: Sendable {
  package let project: String
  package let metadata: any MetadataStore
  package let blobs: any BlobStore
  package let catalogue: Catalogue
  package let checker: any FileChecking
  package let operations: Operations
  package let checks = CheckQueue()
  package let damaged = DamagedFiles()
  package let now: Now

  package init(
    project: String, metadata: any MetadataStore, blobs: any BlobStore, catalogue: Catalogue,
    checker: any FileChecking, now: @escaping Now
  ) {
    self.project = project
    self.metadata = metadata
    self.blobs = blobs
    self.catalogue = catalogue
    self.checker = checker
    operations = Operations()
    self.now = now
  }

  /// Reads everything into memory, and resumes work that a stop of the host interrupted.
  package func start() async throws(HostError) {
    let models = try await metadata.models()
    catalogue.replace(models)
    for model in models where !model.pendingOperations.isEmpty {
      if let source = model.source, let object = try await object(source) {
        check(object, of: model, operation: model.pendingOperations[0], actor: "host") {
          () throws(HostError) in
        }
      } else {
        try await change(model.id, actor: "host", action: "model.recover") { model in
          model.pendingOperations = []
          if model.versions.isEmpty { model.problem = .missing }
        }
      }
    }
  }

  /// Returns the model with that id or name.
  /// - Throws: `not-found`.
  package func model(_ name: String) throws(HostError) -> HostModel {
    guard let model = catalogue.model(project: project, named: name) else {
      throw HostError(
        .notFound, "There is no model \(HostName.shown(name))",
        remedy: "Check its name in the list of models",
        cause: WireText.entityNotFound)
    }
    return model
  }

  /// Changes a model as ``MetadataStore/change(project:id:entry:_:)`` does, in the store and the catalogue.
  @discardableResult
  package func change<Value: Sendable>(
    _ id: String, actor: String, action: String,
    _ body: @escaping @Sendable (inout HostModel) throws(HostError) -> Value
  ) async throws(HostError) -> (model: HostModel, value: Value) {
    var entry = entry(actor, action)
    entry.model = catalogue.model(project: project, named: id)?.name
    let changed = try await metadata.change(project: project, id: id, entry: entry, body)
    catalogue.enter(changed.model)
    return changed
  }

  package func entry(_ actor: String, _ action: String) -> AuditEntry {
    AuditEntry(time: now(), actor: actor, action: action, project: project)
  }

  /// Creates a model; its file, if there is one, is checked in a separate task.
  ///
  /// Google's clients repeat a request up to four times if no reply arrives. A repetition of the same create
  /// for the same upload by the same key within a minute is answered with the first model, unless `isNew`:
  /// the caller already knows that model.
  package func create(
    name: String, tags: [String], object: StoredObject?, isNew: Bool = false, actor: String,
    keyCheck: @escaping KeyCheck
  ) async throws(HostError) -> HostModel {
    guard HostName.isName(name), tags.count <= 100, tags.allSatisfy(HostName.isName) else {
      throw .invalidArgument("The display name or a tag is not 1 to 32 letters, digits, '_' or '-'")
    }
    if let present = catalogue.model(project: project, named: name), present.name == name {
      if let object, !isNew, isRepetition(present, object: object, tags: tags, actor: actor) {
        return present
      }
      throw ModelService.exists(name)
    }
    if object != nil { try checks.admit(actor) }
    let time = now()
    var model = HostModel(
      project: project, id: ModelService.newID(), name: name, created: time, seed: ModelService.newSeed())
    model.tags = tags
    model.problem = object == nil ? .missing : nil
    model.source = object.map(ModelService.source)
    model.sourceGeneration = object?.generation
    if object != nil { model.pendingOperations = [ModelService.newSeed()] }
    var entry = entry(actor, "model.create")
    entry.model = name
    do throws(HostError) {
      try await metadata.create(model, entry: entry, if: keyCheck)
    } catch  where error.code == .alreadyExists {
      // The same request may have come a moment ago, and not be in the catalogue yet.
      let present = try await metadata.models().first { $0.project == project && $0.name == name }
      if let present, let object, !isNew, isRepetition(present, object: object, tags: tags, actor: actor) {
        return present
      }
      throw ModelService.exists(name)
    }
    catalogue.enter(model)
    if let object { check(object, of: model, operation: model.pendingOperations[0], actor: actor, keyCheck) }
    return model
  }

  private func isRepetition(_ model: HostModel, object: StoredObject, tags: [String], actor: String) -> Bool {
    guard now().milliseconds - model.created.milliseconds < 60_000, model.tags == tags,
      model.source == ModelService.source(object), model.sourceGeneration == object.generation
    else { return false }
    // Still to be checked, or refused.
    guard let version = model.versions.first else {
      return model.pendingOperations.count == 1 || (model.pendingOperations.isEmpty && model.problem != nil)
    }
    return model.versions.count == 1 && version.sha256 == object.sha256 && version.author == actor
      && model.channels.isEmpty
  }

  /// Sets another file of an existing model.
  package func attach(
    _ object: StoredObject, to id: String, actor: String, keyCheck: @escaping KeyCheck
  ) async throws(HostError) -> HostModel {
    try checks.admit(actor)
    let operation = ModelService.newSeed()
    let source = ModelService.source(object)
    let generation = object.generation
    let model = try await change(id, actor: actor, action: "model.file") {
      (model) throws(HostError) in
      try keyCheck()
      model.source = source
      model.sourceGeneration = generation
      model.pendingOperations.append(operation)
    }.model
    check(object, of: model, operation: operation, actor: actor, keyCheck)
    return model
  }

  /// Checks a file and makes it a version; ends the operation with any outcome.
  ///
  /// The file of a key that is no longer valid does not become a version.
  private func check(
    _ object: StoredObject, of model: HostModel, operation: String, actor: String,
    _ keyCheck: @escaping KeyCheck
  ) {
    operations.begin(operation, model: model.id)
    Task {
      let outcome = await outcome(of: object.sha256, operation: operation, actor: actor, keyCheck)
      let time = now()
      do throws(HostError) {
        let changed = try await change(model.id, actor: actor, action: "version.add") {
          (model) throws(HostError) in
          model.pendingOperations.removeAll { $0 == operation }
          switch ModelService.asked(keyCheck, outcome) {
          case .success(let facts):
            model.add(
              NewVersion(
                sha256: object.sha256, size: object.size, created: time, author: actor, facts: facts))
            // Firebase has one file per model: if the model is published, so is the new file.
            if model.isPublished { try model.publish() }
            model.retire(at: time)
          case .failure(let problem): model.refuse(problem)
          }
        }
        operations.end(operation, with: .success(changed.model))
      } catch {
        operations.end(operation, with: .failure(error))
      }
    }
  }

  private func outcome(
    of sha256: String, operation: String, actor: String, _ keyCheck: KeyCheck
  ) async -> Result<ModelFacts, FileProblem> {
    do throws(HostError) {
      return try await checks.run(operation, of: actor, isAdmitted: true) {
        () async throws(HostError) -> Result<ModelFacts, FileProblem> in
        try keyCheck()
        return try await checker.check(open(sha256))
      }
    } catch {
      return .failure(ModelService.unchecked(error))
    }
  }

  /// Returns the outcome of a check; a problem if the key that sent the file is no longer valid.
  private static func asked(
    _ keyCheck: KeyCheck, _ outcome: Result<ModelFacts, FileProblem>
  ) -> Result<ModelFacts, FileProblem> {
    guard case .success = outcome else { return outcome }
    do throws(HostError) { try keyCheck() } catch { return .failure(unchecked(error)) }
    return outcome
  }

  private static func unchecked(_ error: HostError) -> FileProblem {
    // The sender can do something about its key; other failures are the host's.
    let message = error.code == .unauthenticated ? error.message : "The file could not be checked"
    return FileProblem(code: error.rpcCode, message: message, detail: error.message)
  }

  /// Deletes a version, and its file if no other version has the same bytes.
  /// - Returns: The model without it.
  /// - Throws: `not-found` if the model has no such version; `unavailable`, `disk-full`.
  @discardableResult
  package func withdraw(
    _ number: Int, of model: HostModel, actor: String
  ) async throws(HostError) -> HostModel {
    let version = try model.version(number)
    let changed = try await change(model.id, actor: actor, action: "version.withdraw") {
      (model) throws(HostError) in try model.withdraw(number)
    }.model
    if !catalogue.serves(version.sha256) {
      let (blobs, sha256) = (blobs, version.sha256)
      try await BlockingWork.run { _ throws(HostError) in try blobs.remove(sha256) }
    }
    return changed
  }

  package func delete(_ id: String, actor: String) async throws(HostError) {
    let model = try model(id)
    var entry = entry(actor, "model.delete")
    entry.model = model.name
    try await metadata.delete(project: project, id: model.id, entry: entry)
    catalogue.remove(project: project, id: model.id)
  }

  /// Returns the object of a `gs://` address; nil if there is none.
  private func object(_ source: String) async throws(HostError) -> StoredObject? {
    let rest = source.dropFirst("gs://".count)
    guard source.hasPrefix("gs://"), let slash = rest.firstIndex(of: "/") else { return nil }
    return try await metadata.object(
      bucket: String(rest[..<slash]), name: String(rest[rest.index(after: slash)...]))
  }

  private static func source(_ object: StoredObject) -> String { "gs://\(object.bucket)/\(object.name)" }

  static func exists(_ name: String) -> HostError {
    HostError(
      .alreadyExists, "Model '\(name)' already exists", remedy: "Choose another name, or update that model",
      cause: WireText.exists(name))
  }

  /// Returns eight digits, as Google's ids are short numbers.
  static func newID() -> String { String(UInt32.random(in: 10_000_000...99_999_999)) }

  /// Returns sixteen hexadecimal digits.
  package static func newSeed() -> String { Hexadecimal.random(byteCount: 8) }
}

/// Checks a file before it becomes a version.
package protocol FileChecking: Sendable {
  /// Returns the facts about the file; a problem if it is not a model that runs.
  func check(_ blob: any Blob) async throws(HostError) -> Result<ModelFacts, FileProblem>
}
#endif
