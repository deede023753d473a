// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore

/// The operations on models of both APIs, Firebase's and the host's own: each change is one transaction, an
/// audit row and a new catalogue entry.
package struct ModelService: Sendable {
  package let project: String
  package let metadata: MetadataStore
  package let blobs: any BlobStore
  package let catalogue: Catalogue
  package let checker: any FileChecking
  package let operations: Operations
  package let checks = TurnQueue(of: .checks)
  /// The files being read because devices are to get them; they do not wait for checks.
  let reads = TurnQueue(of: .reads)
  /// The checks and publishes of files that are under way.
  let sent = SentWork()
  package let bodies = BodyWork()
  package let damaged = DamagedFiles()
  let uploads = UploadSessions()
  package let now: Now

  package init(
    project: String, metadata: MetadataStore, blobs: any BlobStore, catalogue: Catalogue,
    checker: any FileChecking, now: @escaping Now
  ) {
    self.project = project
    self.metadata = metadata
    self.blobs = blobs
    self.catalogue = catalogue
    self.checker = checker
    self.now = now
    operations = Operations { id, operation in
      Task { await metadata.keepEnd(of: id, operation) }
    }
  }

  /// Returns the model with that id or name.
  /// - Parameters:
  ///   - name: The id or name.
  ///   - suggests: True to add the nearest name to the error; false, the default, for apps, which must not
  ///     learn names.
  /// - Returns: The model.
  /// - Throws: `not-found`.
  package func model(_ name: String, suggests: Bool = false) throws(HostError) -> HostModel {
    guard let model = catalogue.model(project: project, named: name) else {
      let names = suggests ? catalogue.models(project: project).map(\.name) : []
      let near = NameDistance.nearest(to: name, among: names).first
      throw HostError(
        .notFound,
        "There is no model \(HostName.shown(name))\(near.map { "; did you mean '\($0)'?" } ?? "")",
        remedy: "Check its name in the list of models",
        cause: WireText.entityNotFound)
    }
    return model
  }

  /// Changes a model as ``MetadataStore/change(project:id:entry:_:)`` does, in the store and the
  /// catalogue.
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
    name: String, tags: [String], object: StoredObject?, isNew: Bool = false, by sender: FileSender
  ) async throws(HostError) -> HostModel {
    guard HostName.isName(name), tags.count <= 100, tags.allSatisfy(HostName.isName) else {
      throw .invalidArgument("The display name or a tag is not 1 to 32 letters, digits, '_' or '-'")
    }
    if let present = catalogue.model(project: project, named: name), present.name == name {
      if let object, !isNew, isRepetition(present, object: object, tags: tags, actor: sender.name) {
        return present
      }
      throw ModelService.exists(name)
    }
    if object != nil { try checks.admit(sender.name) }
    let time = now()
    var model = HostModel(
      project: project, id: ModelService.newID(), name: name, created: time, seed: ModelService.newSeed())
    model.tags = tags
    model.problem = object == nil ? .missing : nil
    model.source = object.map(ModelService.source)
    model.sourceGeneration = object?.generation
    model.sourceKey = object == nil ? nil : sender.key
    if object != nil { model.pendingOperations = [ModelService.newSeed()] }
    var entry = entry(sender.name, "model.create")
    entry.model = name
    do throws(HostError) {
      try await metadata.create(model, entry: entry, if: sender.check)
    } catch  where error.code == .alreadyExists {
      // The same request may have come a moment ago, and not be in the catalogue yet.
      let present = try await metadata.models().first { $0.project == project && $0.name == name }
      if let present, let object, !isNew,
        isRepetition(present, object: object, tags: tags, actor: sender.name)
      {
        return present
      }
      throw ModelService.exists(name)
    }
    catalogue.enter(model)
    if let object { check(object, of: model, operation: model.pendingOperations[0], by: sender) }
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
    _ object: StoredObject, to id: String, by sender: FileSender
  ) async throws(HostError) -> HostModel {
    try checks.admit(sender.name)
    let operation = ModelService.newSeed()
    let source = ModelService.source(object)
    let generation = object.generation
    let model = try await change(id, actor: sender.name, action: "model.file") {
      (model) throws(HostError) in
      try sender.check()
      model.source = source
      model.sourceGeneration = generation
      model.sourceKey = sender.key
      model.pendingOperations.append(operation)
    }.model
    check(object, of: model, operation: operation, by: sender)
    return model
  }

  /// Checks a file and makes it a version; ends the operation with any outcome.
  ///
  /// The file of a key that is no longer valid does not become a version.
  func check(
    _ object: StoredObject, of model: HostModel, operation: String, by sender: FileSender,
    isShared: Bool = false
  ) {
    operations.begin(operation, model: model.id, isShared: isShared)
    Task {
      var damage: HostError?
      let outcome: Result<ModelFacts, FileProblem>
      do throws(HostError) {
        outcome = try await self.outcome(of: object, operation: operation, by: sender)
      } catch {
        outcome = .failure(ModelService.unchecked(error))
        if error.code == .damaged { damage = error }
      }
      let time = now()
      do throws(HostError) {
        let changed = try await change(model.id, actor: sender.name, action: "version.add") {
          (model) throws(HostError) in
          model.pendingOperations.removeAll { $0 == operation }
          switch ModelService.asked(sender.check, outcome) {
          case .success(let facts):
            model.add(
              NewVersion(
                sha256: object.sha256, size: object.size, created: time, author: sender.name, facts: facts))
            // Firebase has one file per model: if the model is published, so is the new file.
            if model.isPublished { try model.publish() }
            model.retire(at: time)
          case .failure(let problem): model.refuse(problem)
          }
        }
        operations.end(operation, with: damage.map { .failure($0) } ?? .success(changed.model))
      } catch {
        operations.end(operation, with: .failure(error))
      }
    }
  }

  private func outcome(
    of object: StoredObject, operation: String, by sender: FileSender
  ) async throws(HostError) -> Result<ModelFacts, FileProblem> {
    try await sent.run(if: sender.check) { () async throws(HostError) -> Result<ModelFacts, FileProblem> in
      try await checks.run(operation, of: sender.name, isAdmitted: true) {
        () async throws(HostError) -> Result<ModelFacts, FileProblem> in
        try sender.check()
        return try await checker.check(intactFile(object.sha256, size: object.size))
      }
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

  static func unchecked(_ error: HostError) -> FileProblem {
    // The sender can do something about its key or a damaged upload, but not about other failures.
    let isSenders = error.code == .unauthenticated || error.code == .damaged
    let message = isSenders ? error.message : "The file could not be checked"
    return FileProblem(code: error.rpcCode, message: message, detail: error.message)
  }

  /// Deletes a model with its versions, and stops its experiment in the store.
  /// - Returns: The stopped experiment, which is to be entered in the memory; nil if there is none.
  /// - Throws: `not-found`, with the nearest name; `precondition` if its experiment cannot be stopped.
  @discardableResult
  func delete(_ id: String, actor: String) async throws(HostError) -> Experiment? {
    let model = try model(id, suggests: true)
    var entry = entry(actor, "model.delete")
    entry.model = model.name
    let stopped = try await metadata.delete(project: project, id: model.id, entry: entry)
    catalogue.remove(project: project, id: model.id)
    return stopped
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
