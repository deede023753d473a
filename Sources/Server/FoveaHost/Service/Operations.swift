// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore
import Synchronization

/// The pending checks, and those that ended most recently.
package final class Operations: Sendable {
  package enum State: Sendable {
    case pending(model: String)
    case ended(Result<HostModel, HostError>)
  }

  /// A publish through the host's own route, unknown to Google's routes.
  package struct Publish: Sendable {
    /// The name of its model.
    package let model: String
    /// The sender of the file.
    package let sender: String
    /// Nil while it is running.
    package fileprivate(set) var result: Result<PublishedVersion, HostError>?
    fileprivate var isCancelled = false
    /// Whether someone has asked for it since the last round of ``Operations/cancelForgotten()``.
    fileprivate var isAwaited = true
    /// Nil once it has ended.
    fileprivate var task: Task<Void, Never>?

    fileprivate init(model: String, sender: String) {
      self.model = model
      self.sender = sender
    }

    fileprivate var outcome: SharedOperation.Outcome? {
      switch result {
      case .success(let made):
        .published(
          version: made.version.number, channel: made.channel, isRepeated: made.isRepeated,
          before: made.before, endedRollout: made.endedRollout)
      case .failure(let error): .init(error)
      case nil: nil
      }
    }
  }

  private struct Table {
    var states: [String: State] = [:]
    var publishes: [String: Publish] = [:]
    /// Names of running operations that other nodes know.
    var shared: Set<String> = []
    /// Since when nodes have not been connected to the database.
    var silent: [Int64: ContinuousClock.Instant] = [:]
    /// Names of ended operations, oldest first.
    var ended: [String] = []

    mutating func noteEnd(_ id: String) {
      ended.append(id)
      guard ended.count > Operations.most else { return }
      let first = ended.removeFirst()
      states[first] = nil
      publishes[first] = nil
    }

    func isPending(_ id: String) -> Bool {
      if let publish = publishes[id] { return publish.result == nil }
      if case .pending = states[id] { return true }
      return false
    }

    /// Returns an operation as other nodes see it; nil if it is unknown.
    func shared(_ id: String) -> SharedOperation? {
      if let publish = publishes[id] {
        return SharedOperation(model: publish.model, sender: publish.sender, outcome: publish.outcome)
      }
      switch states[id] {
      case .pending(let model): return SharedOperation(model: model)
      case .ended(.success(let model)): return SharedOperation(model: model.id, outcome: .checked)
      case .ended(.failure(let error)): return SharedOperation(model: "", outcome: .init(error))
      case nil: return nil
      }
    }
  }

  private static let most = 1000
  private let table = Mutex(Table())

  /// Stores for other nodes that a shared operation has ended.
  private let keepEnd: @Sendable (_ id: String, _ operation: SharedOperation) -> Void

  package init(
    keepEnd: @escaping @Sendable (_ id: String, _ operation: SharedOperation) -> Void = { _, _ in }
  ) {
    self.keepEnd = keepEnd
  }

  /// Starts the check of a file.
  /// - Parameters:
  ///   - id: Its name.
  ///   - model: The id of its model.
  ///   - isShared: Whether other nodes know the operation: one that this node continues.
  package func begin(_ id: String, model: String, isShared: Bool = false) {
    table.withLock { table in
      table.states[id] = .pending(model: model)
      if isShared { table.shared.insert(id) }
    }
  }

  /// Makes an operation known to other nodes, whose callers ask for it.
  /// - Returns: The operation, to be stored now; its end is stored, too. Nil if it is unknown.
  func share(_ id: String) -> SharedOperation? {
    table.withLock { table in
      if table.isPending(id) { table.shared.insert(id) }
      return table.shared(id)
    }
  }

  /// Records that a node with an operation is not connected to the database.
  ///
  /// A node that connects again after an outage is silent for some seconds.
  /// - Returns: Whether it has been silent for so long that it must have stopped.
  func hasStopped(_ node: Int64, at time: ContinuousClock.Instant) -> Bool {
    table.withLock { table in
      // An entry older than a minute is of an earlier silence.
      table.silent = table.silent.filter { time - $0.value < .seconds(60) }
      let start = table.silent[node] ?? time
      table.silent[node] = start
      return time - start >= Freshness.patience
    }
  }

  /// Whether this node runs an operation.
  func isRunning(_ id: String) -> Bool { table.withLock { $0.isPending(id) } }

  /// Starts a publish through the host's own route.
  /// - Parameters:
  ///   - id: Its name.
  ///   - model: The name of its model.
  ///   - sender: The sender of the file.
  ///   - work: Checks the file and publishes it; its task is cancelled by ``cancel(publish:)``.
  package func begin(
    publish id: String, of model: String, by sender: String,
    _ work: @escaping @Sendable () async throws(HostError) -> PublishedVersion
  ) {
    table.withLock { $0.publishes[id] = Publish(model: model, sender: sender) }
    let task = Task<Void, Never> {
      do throws(HostError) { end(publish: id, with: .success(try await work())) } catch {
        end(publish: id, with: .failure(error))
      }
    }
    table.withLock { table in
      guard table.isPending(id) else { return }
      table.publishes[id]?.task = task
    }
  }

  /// Cancels the check of a publish; does nothing once it has ended.
  package func cancel(publish id: String) {
    let task = table.withLock { table -> Task<Void, Never>? in
      guard table.isPending(id) else { return nil }
      table.publishes[id]?.isCancelled = true
      return table.publishes[id]?.task
    }
    task?.cancel()
  }

  /// Records that someone waits for a publish.
  package func ask(for id: String) {
    table.withLock { $0.publishes[id]?.isAwaited = true }
  }

  /// Cancels the publishes whose state was not requested since the last call, or since they started: their
  /// senders have left.
  package func cancelForgotten() {
    let tasks = table.withLock { table -> [Task<Void, Never>] in
      var tasks: [Task<Void, Never>] = []
      for (id, publish) in table.publishes where publish.result == nil {
        table.publishes[id]?.isAwaited = false
        guard !publish.isAwaited else { continue }
        table.publishes[id]?.isCancelled = true
        if let task = publish.task { tasks.append(task) }
      }
      return tasks
    }
    for task in tasks { task.cancel() }
  }

  /// Cancels forgotten publishes until its task is cancelled, each 30 to 60 seconds after the last request
  /// for it.
  func watch(every interval: Duration = .seconds(30)) async {
    while true {
      do { try await Task.sleep(for: interval) } catch { return }
      cancelForgotten()
    }
  }

  /// Returns a publish through the host's own route; nil for other and for forgotten operations.
  package func publish(_ id: String) -> Publish? { table.withLock { $0.publishes[id] } }

  package func end(_ id: String, with result: Result<HostModel, HostError>) {
    end(id) { $0.states[id] = .ended(result) }
  }

  /// Marks an operation as ended, and stores that if other nodes know it.
  private func end(_ id: String, _ change: (inout Table) -> Void) {
    let shared = table.withLock { table -> SharedOperation? in
      change(&table)
      table.noteEnd(id)
      return table.shared.remove(id) == nil ? nil : table.shared(id)
    }
    if let shared { keepEnd(id, shared) }
  }

  private func end(publish id: String, with result: Result<PublishedVersion, HostError>) {
    end(id) { table in
      var result = result
      if case .failure(let error) = result, error.code == .cancelled,
        table.publishes[id]?.isCancelled == true
      {
        result = .failure(.publishCancelled)
      }
      table.publishes[id]?.result = result
      table.publishes[id]?.task = nil
    }
  }

  package subscript(id: String) -> State? { table.withLock { $0.states[id] } }

  /// Waits until an operation ends, up to a time limit.
  package func wait(_ id: String, atMost time: Duration) async {
    let deadline = ContinuousClock.now + time
    var pause = Duration.milliseconds(1)
    while !Task.isCancelled, table.withLock({ $0.isPending(id) }), ContinuousClock.now < deadline {
      try? await Task.sleep(for: pause)
      pause = min(pause * 2, .milliseconds(20))
    }
  }
}
#endif
