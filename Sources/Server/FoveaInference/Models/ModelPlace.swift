// SPDX-License-Identifier: Apache-2.0
#if Server
import Fovea
import FoveaCore
import FoveaModels
import Synchronization

/// A served model: its entry and the version that answers.
///
/// A new version is loaded next to the current one, runs once, and replaces it in one step. Running requests
/// keep the version they started with, which is freed after the last of them. A version that cannot be loaded
/// changes only ``lastError``.
///
/// A model can be evicted to free memory for others: it stays in all lists, and the next request for it loads
/// it again.
final class ModelPlace: Sendable {
  /// The states of a model.
  enum Stage: String {
    case loading, ready, evicted, failed, absent
  }

  /// The outcome of a load.
  enum Change: Equatable {
    case loaded
    /// The loaded version is already the newest.
    case none
    /// Another task is loading it.
    case underWay
  }

  /// A version to load.
  private enum Found {
    case local(ModelSource)
    case hosted(HostedModel)
  }

  private struct State {
    var current: ServedModel?
    /// The facts of the version loaded last.
    var facts: ServedModelFacts?
    var isEvicted = false
    /// The time of the latest request.
    var lastUse: ContinuousClock.Instant?
    /// Requests that wait for the running load to end.
    var waiters: [AsyncStream<Never>.Continuation] = []
    var isLoading = false
    var isWanted = true
    var lastError: FoveaError?
    /// The state of the files when they were loaded or failed to load.
    var files: FileState?
    /// The same for the version loaded last, including the files in its settings.
    var loadedFiles: [FileState?] = []
    /// The path of the hosted version that was loaded or failed to load.
    var path: String?
  }

  let entry: ModelEntry
  private let loading: ModelLoading
  private let state = Mutex(State())

  init(_ entry: ModelEntry, _ loading: ModelLoading) {
    self.entry = entry
    self.loading = loading
  }

  /// The version that answers; nil before the first load, after ``unload()`` and after ``evict()``.
  var current: ServedModel? { state.withLock { $0.current } }

  /// The facts for lists, of the version that answers or was evicted; nil if no request can be answered.
  var facts: ServedModelFacts? { state.withLock { $0.current != nil || $0.isEvicted ? $0.facts : nil } }

  /// The time of the latest request; nil if the model is not in memory or has had none.
  var lastUse: ContinuousClock.Instant? { state.withLock { $0.lastUse } }

  /// Returns the version that answers a request; nil if there is none.
  func take() -> ServedModel? {
    state.withLock { state in
      if state.current != nil { state.lastUse = .now }
      return state.current
    }
  }

  /// Frees the model's memory until a request needs it again.
  func evict() {
    state.withLock { state in
      guard state.current != nil else { return }
      state.current = nil
      state.lastUse = nil
      state.isEvicted = true
    }
  }

  /// The reason the last version could not be loaded; nil if it could.
  var lastError: FoveaError? { state.withLock { $0.lastError } }

  /// The same error for callers, without the names of the operator's files.
  var shownError: FoveaError? { lastError.map { texts.concealed($0) } }

  /// Rewrites strings about the model for callers.
  var texts: ModelTexts { ModelTexts(entry, path: state.withLock { $0.path }) }

  var stage: Stage {
    state.withLock { state in
      if state.current != nil { return .ready }
      if state.isLoading { return .loading }
      if state.isEvicted { return .evicted }
      return state.lastError == nil ? .absent : .failed
    }
  }

  /// The entry's files if they differ from the loaded ones.
  var newFiles: FileState? {
    guard let files = entryFiles else { return nil }
    // An evicted model is read again when a request needs it.
    return state.withLock { $0.isWanted && !$0.isEvicted && $0.files != files ? files : nil }
  }

  /// Whether the entry's files, or those in its settings, have changed since they were loaded, or no longer
  /// exist.
  var hasOtherFiles: Bool {
    let files = [entryFiles] + entry.settings.fileStates
    return state.withLock { ($0.current != nil || $0.isEvicted) && $0.loadedFiles != files }
  }

  /// The current state of the entry's files; nil if it is not a file or does not exist.
  private var entryFiles: FileState? {
    guard case .file(let path) = entry.source else { return nil }
    return FileState(path)
  }

  /// Whether newer versions are requested from a host.
  var followsHost: Bool {
    guard case .hosted = entry.source else { return false }
    return state.withLock { $0.isWanted && !$0.isEvicted }
  }

  /// Waits until the running load has ended, or the task is cancelled.
  func waitForLoad() async {
    let end: AsyncStream<Never>? = state.withLock { state in
      guard state.isLoading else { return nil }
      let (end, waiter) = AsyncStream.makeStream(of: Never.self)
      state.waiters.append(waiter)
      return end
    }
    if let end { for await _ in end {} }
  }

  /// Loads the current version, unless it is already loaded.
  /// - Parameter admit: Frees memory for a model, or throws if there is too little: the model is then treated
  ///   as evicted.
  /// - Returns: The outcome of the load.
  /// - Throws: The error of loading; the previous version keeps answering.
  @discardableResult
  func load(admit: (ServedModelFacts) throws(FoveaError) -> Void) async throws(FoveaError) -> Change {
    try await change(admit) { [entry, loading] () async throws(FoveaError) in
      switch entry.source {
      case .embedded(let model): return .local(.embedded(model))
      case .file(let path): return .local(.file(path))
      case .hosted(let name, let host):
        do { return .hosted(try await loading.hosted(on: host).update(name)) } catch {
          throw FoveaError(error)
        }
      }
    }
  }

  /// Returns to the previous version of a hosted model.
  /// - Throws: An error if there is none or it cannot be loaded.
  @discardableResult
  func rollBack(admit: (ServedModelFacts) throws(FoveaError) -> Void) async throws(FoveaError) -> Change {
    guard case .hosted(let name, let host) = entry.source else {
      let isBuiltIn = if case .embedded = entry.source { true } else { false }
      throw .optionInvalid(
        "The model '\(entry.name)' has no previous version: it is \(isBuiltIn ? "built in" : "a file")",
        remedy: isBuiltIn
          ? "Only models of a model host can be rolled back"
          : "Restore the earlier file; only models of a model host can be rolled back")
    }
    return try await change(admit) { [loading] () async throws(FoveaError) in
      do { return .hosted(try loading.hosted(on: host).rollBack(name)) } catch { throw FoveaError(error) }
    }
  }

  /// Unloads the model: requests are refused, and nothing is loaded until ``load(admit:)``.
  func unload() {
    state.withLock { state in
      state.current = nil
      state.lastUse = nil
      state.isEvicted = false
      state.isWanted = false
      state.files = nil
      state.path = nil
    }
  }

  private func change(
    _ admit: (ServedModelFacts) throws(FoveaError) -> Void, _ find: () async throws(FoveaError) -> Found
  ) async throws(FoveaError) -> Change {
    let begins = state.withLock { state in
      if state.isLoading { return false }
      state.isLoading = true
      state.isWanted = true
      return true
    }
    guard begins else { return .underWay }
    // Taken before the file is read, so that later changes are noticed.
    let files = [entryFiles] + entry.settings.fileStates
    var path: String?
    do throws(FoveaError) {
      let found = try await find()
      if case .hosted(let model) = found { path = model.path }
      if let path, state.withLock({ $0.current != nil && $0.path == path }) {
        finish(files, path, nil)
        return .none
      }
      var model = try await load(found)
      try number(&model)
      do throws(FoveaError) { try admit(model.facts) } catch {
        finish(files, path, .notAdmitted(model.facts, error))
        throw error
      }
      finish(files, path, .loaded(model))
      return .loaded
    } catch {
      if error.code != .modelsFull { finish(files, path, .failed(error)) }
      throw error
    }
  }

  /// Sets a model's version to the next number, or to the same one if the bytes are unchanged.
  /// - Throws: `task-mismatch` if its task differs from the current version's.
  private func number(_ model: inout ServedModel) throws(FoveaError) {
    guard let before = state.withLock({ $0.facts }) else { return }
    guard before.task == model.task || !state.withLock({ $0.current != nil || $0.isEvicted }) else {
      throw FoveaError(
        .taskMismatch,
        "The new file of '\(entry.name)' \(model.task.work), but the current version \(before.task.work)",
        remedy: "Serve it under another name")
    }
    let isSame = before.sha256 == model.sha256
    model.facts.version = isSame ? before.version : before.version + 1
    // The first measurement was taken before the process had ever held the model.
    if isSame { model.facts.memory = before.memory }
  }

  private func load(_ found: Found) async throws(FoveaError) -> ServedModel {
    switch found {
    case .local(let source): return try await loading.load(entry, source, version: 1)
    case .hosted(let model):
      return try await model.load { path async throws(FoveaError) in
        try await loading.load(entry, .file(path), version: 1)
      }
    }
  }

  /// The end of a load.
  private enum End {
    case loaded(ServedModel)
    /// There is too little memory for it now.
    case notAdmitted(ServedModelFacts, FoveaError)
    case failed(FoveaError)
  }

  private func finish(_ files: [FileState?], _ path: String?, _ end: End?) {
    let waiters = state.withLock { state in
      state.isLoading = false
      state.files = files[0]
      if let path { state.path = path }
      switch end {
      case .loaded(let model):
        state.lastError = nil
        if state.isWanted {
          state.current = model
          state.loadedFiles = files
          state.facts = model.facts
          state.isEvicted = false
        }
      case .notAdmitted(let facts, let error):
        if state.current != nil {
          state.lastError = error
        } else if state.isWanted {
          state.loadedFiles = files
          state.facts = facts
          state.isEvicted = true
        }
      case .failed(let error):
        state.lastError = error
        state.isEvicted = false
      case nil: break
      }
      defer { state.waiters = [] }
      return state.waiters
    }
    for waiter in waiters { waiter.finish() }
  }
}
#endif
