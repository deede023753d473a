// SPDX-License-Identifier: Apache-2.0
#if Server
import Fovea
import FoveaCore
import FoveaModels
import Synchronization

/// The place of a model: its entry, and the version that answers.
///
/// A new version is loaded next to the one that answers, runs once, and takes its place in one step. Requests under way
/// keep the version that they began with, which goes with the last of them. A version that cannot be loaded changes
/// nothing but ``lastError``.
///
/// A model that others need the memory of is evicted: it stays in all lists, and the next call that names it loads it.
final class ModelPlace: Sendable {
  /// What the place can answer.
  enum Stage: String {
    case loading, ready, evicted, failed, absent
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
    /// What was loaded last.
    var facts: ModelFacts?
    var isEvicted = false
    /// When a call took it last.
    var lastUse: ContinuousClock.Instant?
    /// Calls that wait until the load under way has ended.
    var waiters: [AsyncStream<Never>.Continuation] = []
    var isLoading = false
    var isWanted = true
    var lastError: FoveaError?
    /// The files as they were when they were loaded, or could not be.
    var files: FileState?
    /// The same of what was loaded last, with the files that the settings name.
    var loadedFiles: [FileState?] = []
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

  /// The version that answers; nil before the first, after ``unload()`` and after ``evict()``.
  var current: ServedModel? { state.withLock { $0.current } }

  /// What lists show: of the version that answers, or that was evicted; nil where no call can be answered.
  var facts: ModelFacts? { state.withLock { $0.current != nil || $0.isEvicted ? $0.facts : nil } }

  /// When a call took the model last; nil where it is not in memory or none has.
  var lastUse: ContinuousClock.Instant? { state.withLock { $0.lastUse } }

  /// The version that answers, for a call: nil where none does.
  func take() -> ServedModel? {
    state.withLock { state in
      if state.current != nil { state.lastUse = .now }
      return state.current
    }
  }

  /// Gives the memory back until a call needs the model again.
  func evict() {
    state.withLock { state in
      guard state.current != nil else { return }
      state.current = nil
      state.lastUse = nil
      state.isEvicted = true
    }
  }

  /// Why the last version could not be loaded; nil where it could.
  var lastError: FoveaError? { state.withLock { $0.lastError } }

  /// The same as callers read it, without the names of the operator's files.
  var shownError: FoveaError? { lastError.map { texts.concealed($0) } }

  /// Turns texts about the model into what callers read.
  var texts: ModelTexts { ModelTexts(entry, path: state.withLock { $0.path }) }

  var stage: Stage {
    state.withLock { state in
      if state.current != nil { return .ready }
      if state.isLoading { return .loading }
      if state.isEvicted { return .evicted }
      return state.lastError == nil ? .absent : .failed
    }
  }

  /// The files of the entry as they are, where they are others than those that were loaded.
  var newFiles: FileState? {
    guard let files = entryFiles else { return nil }
    // What was evicted is read again when a call needs it.
    return state.withLock { $0.isWanted && !$0.isEvicted && $0.files != files ? files : nil }
  }

  /// Whether the files of the entry, or those that its settings name, are others than those that were loaded, or gone.
  var hasOtherFiles: Bool {
    let files = [entryFiles] + entry.settings.fileStates
    return state.withLock { ($0.current != nil || $0.isEvicted) && $0.loadedFiles != files }
  }

  /// The files of the entry as they are; nil where it is no file, or there is none.
  private var entryFiles: FileState? {
    guard case .file(let path) = entry.source else { return nil }
    return FileState(path)
  }

  /// Whether a host is asked for newer versions.
  var followsHost: Bool {
    guard case .hosted = entry.source else { return false }
    return state.withLock { $0.isWanted && !$0.isEvicted }
  }

  /// Waits until the load that is under way has ended, or the task is cancelled.
  func waitForLoad() async {
    let end: AsyncStream<Never>? = state.withLock { state in
      guard state.isLoading else { return nil }
      let (end, waiter) = AsyncStream.makeStream(of: Never.self)
      state.waiters.append(waiter)
      return end
    }
    if let end { for await _ in end {} }
  }

  /// Loads what is there now, unless it is what answers.
  /// - Parameter admit: Makes room for a model, or throws where there is none: then it is as if it had been evicted.
  /// - Returns: How the version came in.
  /// - Throws: Why it cannot be loaded; the version before goes on answering.
  @discardableResult
  func load(admit: (ModelFacts) throws(FoveaError) -> Void) async throws(FoveaError) -> Change {
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

  /// Goes back to the version of a hosted model that was in use before.
  /// - Throws: Where there is none, or it cannot be loaded.
  @discardableResult
  func rollBack(admit: (ModelFacts) throws(FoveaError) -> Void) async throws(FoveaError) -> Change {
    guard case .hosted(let name, let host) = entry.source else {
      let isBuiltIn = if case .embedded = entry.source { true } else { false }
      throw .optionInvalid(
        "The model '\(entry.name)' has no version before: it is \(isBuiltIn ? "built in" : "a file")",
        remedy: isBuiltIn
          ? "Only models of a model host can go back"
          : "Put the earlier file in its place; only models of a model host can go back")
    }
    return try await change(admit) { [loading] () async throws(FoveaError) in
      do { return .hosted(try loading.hosted(on: host).rollBack(name)) } catch { throw FoveaError(error) }
    }
  }

  /// Gives the model up: calls are refused, and nothing is loaded until ``load()``.
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
    _ admit: (ModelFacts) throws(FoveaError) -> Void, _ find: () async throws(FoveaError) -> Found
  ) async throws(FoveaError) -> Change {
    let begins = state.withLock { state in
      if state.isLoading { return false }
      state.isLoading = true
      state.isWanted = true
      return true
    }
    guard begins else { return .underWay }
    // Taken before the file is read: what changes meanwhile is seen later.
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

  /// Gives a model the next version, or that of the same bytes before it was evicted.
  /// - Throws: `task-mismatch` where it does another task than the one that answers.
  private func number(_ model: inout ServedModel) throws(FoveaError) {
    guard let before = state.withLock({ $0.facts }) else { return }
    guard before.task == model.task || !state.withLock({ $0.current != nil || $0.isEvicted }) else {
      throw FoveaError(
        .taskMismatch,
        "The new file of '\(entry.name)' \(ModelFacts.words(for: model.task)), and the version that answers "
          + ModelFacts.words(for: before.task),
        remedy: "Give it a name of its own")
    }
    let isSame = before.sha256 == model.sha256 && state.withLock { $0.isEvicted }
    model.facts.version = isSame ? before.version : before.version + 1
    // The first measure was of a process that had not yet held it.
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

  /// How a load ended.
  private enum End {
    case loaded(ServedModel)
    /// There is no room for it now.
    case notAdmitted(ModelFacts, FoveaError)
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
