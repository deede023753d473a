// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore

extension ModelService {
  /// Reads everything into memory, and resumes work that a stop of the host interrupted.
  /// - Parameter authority: The authority with all keys: each file is checked for the key that sent it.
  /// - Throws: `unavailable`, `disk-full`; any error of the store.
  package func start(_ authority: Authority) async throws(HostError) {
    let models = try await metadata.models()
    catalogue.replace(models)
    for model in models where !model.pendingOperations.isEmpty {
      guard try await isLeft(model) else { continue }
      try await resume(model, authority)
    }
  }

  /// Resumes the checks of nodes that have stopped.
  /// - Parameter authority: As for ``start(_:)``.
  /// - Throws: As ``start(_:)``.
  func resumeLeftChecks(_ authority: Authority) async throws(HostError) {
    for model in catalogue.models(project: project) where !model.pendingOperations.isEmpty {
      // The row of a new check may not be there yet.
      guard model.updated < now().advanced(seconds: -Self.leastRest), try await isLeft(model) else {
        continue
      }
      try await resume(model, authority)
    }
  }

  /// The time in seconds after which a check that no node knows of is resumed.
  private static let leastRest = 300.0

  /// Whether no node runs the checks of a model.
  private func isLeft(_ model: HostModel) async throws(HostError) -> Bool {
    guard metadata.shared != nil else { return true }
    for operation in model.pendingOperations {
      if operations.isRunning(operation) { return false }
      if try await metadata.operation(operation)?.isAlive == true { return false }
    }
    return true
  }

  /// Checks the latest file of a model; refuses it if the key that sent it is no longer valid.
  private func resume(_ model: HostModel, _ authority: Authority) async throws(HostError) {
    guard let operation = model.pendingOperations.last, let object = try await latestFile(of: model) else {
      try await change(model.id, actor: "host", action: "model.recover") { model in
        model.pendingOperations = []
        if model.versions.isEmpty { model.problem = .missing }
      }
      return
    }
    guard let identity = model.sourceKey.flatMap({ authority.identity(key: $0) }) else {
      let error = model.sourceKey == nil ? ModelService.unknownSender : Authority.keyEnded
      try await change(model.id, actor: "host", action: "model.recover") { model in
        model.pendingOperations = []
        model.refuse(ModelService.unchecked(error))
      }
      return
    }
    if model.pendingOperations.count > 1 {
      // The addresses of earlier files are not stored.
      try await change(model.id, actor: "host", action: "model.recover") { model in
        model.pendingOperations = [operation]
      }
    }
    check(
      object, of: model, operation: operation, by: authority.sender(identity),
      isShared: metadata.shared != nil)
  }

  /// Returns the upload that the model's latest file comes from; nil if it was removed or replaced.
  private func latestFile(of model: HostModel) async throws(HostError) -> StoredObject? {
    guard let source = model.source, source.hasPrefix("gs://") else { return nil }
    let rest = source.dropFirst("gs://".count)
    guard let slash = rest.firstIndex(of: "/") else { return nil }
    let object = try await metadata.object(
      bucket: String(rest[..<slash]), name: String(rest[rest.index(after: slash)...]))
    // Another key may have uploaded the current file.
    return object?.generation == model.sourceGeneration ? object : nil
  }

  /// The error for a file whose check was interrupted in an older host, which stored no key.
  private static let unknownSender = HostError(
    .unauthenticated,
    "The host stopped before it had checked the file, and did not record which key sent it",
    remedy: "Set the file of the model again")
}
#endif
