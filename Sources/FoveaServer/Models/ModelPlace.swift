// SPDX-License-Identifier: Apache-2.0
#if Server
  internal import Fovea
  internal import FoveaErrors
  internal import FoveaImage
  internal import FoveaModels
  internal import Synchronization

  /// The place of a model: its entry, and the version that answers.
  ///
  /// A new version is loaded next to the one that answers, runs once, and takes its place in one step. Requests under way
  /// keep the version that they began with, which goes with the last of them. A version that cannot be loaded changes
  /// nothing but ``lastError``.
  final class ModelPlace: Sendable {
    /// What the place can answer.
    enum Stage: String {
      case loading, ready, failed, absent
    }

    /// How a version came in.
    enum Change: Equatable {
      case loaded
      /// The version there is the newest.
      case none
      /// Another task loads it.
      case underWay
    }

    /// A version that was found.
    private enum Found {
      case local(ModelSource)
      case hosted(HostedModel)
    }

    private struct State {
      var current: ServedModel?
      var version = 0
      var isLoading = false
      var isWanted = true
      var lastError: FoveaError?
      /// The files as they were when they were loaded, or could not be.
      var files: FileState?
      /// The hosted version that was loaded, or could not be.
      var path: String?
    }

    let entry: ModelEntry
    private let loading: ModelLoading
    private let state = Mutex(State())

    init(_ entry: ModelEntry, _ loading: ModelLoading) {
      self.entry = entry
      self.loading = loading
    }

    /// The version that answers; nil before the first and after ``unload()``.
    var current: ServedModel? { state.withLock { $0.current } }

    /// Why the last version could not be loaded; nil where it could.
    var lastError: FoveaError? { state.withLock { $0.lastError } }

    var stage: Stage {
      state.withLock { state in
        if state.current != nil { return .ready }
        return state.isLoading ? .loading : state.lastError == nil ? .absent : .failed
      }
    }

    /// The files of the entry as they are, where they are others than those that were loaded.
    var newFiles: FileState? {
      guard case .file(let path) = entry.source, let files = FileState(path) else { return nil }
      return state.withLock { $0.isWanted && $0.files != files ? files : nil }
    }

    /// Whether a host is asked for newer versions.
    var followsHost: Bool {
      guard case .hosted = entry.source else { return false }
      return state.withLock { $0.isWanted }
    }

    /// Loads what is there now, unless it is what answers.
    /// - Throws: Why it cannot be loaded; the version before goes on answering.
    @discardableResult
    func load() async throws(FoveaError) -> Change {
      try await change { [entry, loading] () async throws(FoveaError) in
        switch entry.source {
        case .embedded(let model): return .local(.embedded(model))
        case .file(let path): return .local(.file(path))
        case .hosted(let name):
          do { return .hosted(try await loading.hosted().update(name)) } catch { throw FoveaError(error) }
        }
      }
    }

    /// Goes back to the version of a hosted model that was in use before.
    /// - Throws: Where there is none, or it cannot be loaded.
    @discardableResult
    func rollBack() async throws(FoveaError) -> Change {
      try await change { [entry, loading] () async throws(FoveaError) in
        guard case .hosted(let name) = entry.source else {
          throw .optionInvalid(
            "The version before is not kept: '\(entry.name)' is a file",
            remedy: "Put the earlier file in its place; only models of a model host can go back")
        }
        do { return .hosted(try loading.hosted().rollBack(name)) } catch { throw FoveaError(error) }
      }
    }

    /// Gives the model up: calls are refused, and nothing is loaded until ``load()``.
    func unload() {
      state.withLock { state in
        state.current = nil
        state.isWanted = false
        state.files = nil
        state.path = nil
      }
    }

    private func change(
      _ find: () async throws(FoveaError) -> Found
    ) async throws(FoveaError) -> Change {
      let begins = state.withLock { state in
        if state.isLoading { return false }
        state.isLoading = true
        state.isWanted = true
        return true
      }
      guard begins else { return .underWay }
      // Taken before the file is read: what changes meanwhile is seen later.
      var files: FileState?
      if case .file(let path) = entry.source { files = FileState(path) }
      var path: String?
      do throws(FoveaError) {
        let found = try await find()
        if case .hosted(let model) = found { path = model.path }
        if let path, state.withLock({ $0.current != nil && $0.path == path }) {
          state.withLock { $0.isLoading = false }
          return .none
        }
        let version = state.withLock { $0.version + 1 }
        let model = try await load(found, version)
        if let before = current, before.task != model.task {
          throw FoveaError(
            .taskMismatch,
            "The new file of '\(entry.name)' is to \(model.task), the one that answers to \(before.task)",
            remedy: "Give it a name of its own")
        }
        finish(files, path, .success(model))
        return .loaded
      } catch {
        finish(files, path, .failure(error))
        throw error
      }
    }

    private func load(_ found: Found, _ version: Int) async throws(FoveaError) -> ServedModel {
      switch found {
      case .local(let source): return try await loading.load(entry.name, source, version: version)
      case .hosted(let model):
        return try await model.load { path async throws(FoveaError) in
          try await loading.load(entry.name, .file(path), version: version)
        }
      }
    }

    private func finish(_ files: FileState?, _ path: String?, _ result: Result<ServedModel, FoveaError>) {
      state.withLock { state in
        state.isLoading = false
        state.files = files
        if let path { state.path = path }
        switch result {
        case .success(let model):
          state.lastError = nil
          guard state.isWanted else { return }
          state.current = model
          state.version = model.version
        case .failure(let error): state.lastError = error
        }
      }
    }
  }

  /// How a server loads models.
  struct ModelLoading: Sendable {
    let slots: Int
    let limits: ImageLimits

    func load(_ name: String, _ source: ModelSource, version: Int) async throws(FoveaError) -> ServedModel {
      try await ServedModel.load(name, source, version: version, slots: slots, limits: limits)
    }

    /// The models of the host that the variable names.
    func hosted() throws(ModelStoreError) -> HostedModels { try HostedModels() }
  }
#endif
