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
  }

  private struct Table {
    var states: [String: State] = [:]
    var publishes: [String: Publish] = [:]
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
  }

  private static let most = 1000
  private let table = Mutex(Table())

  package init() {}

  package func begin(_ id: String, model: String) {
    table.withLock { $0.states[id] = .pending(model: model) }
  }

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
    table.withLock { table in
      table.states[id] = .ended(result)
      table.noteEnd(id)
    }
  }

  private func end(publish id: String, with result: Result<PublishedVersion, HostError>) {
    table.withLock { table in
      var result = result
      if case .failure(let error) = result, error.code == .cancelled,
        table.publishes[id]?.isCancelled == true
      {
        result = .failure(.publishCancelled)
      }
      table.publishes[id]?.result = result
      table.publishes[id]?.task = nil
      table.noteEnd(id)
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
