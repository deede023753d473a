// SPDX-License-Identifier: Apache-2.0
#if Server
  internal import Synchronization

  /// Checks that are under way, and those that have ended in the last hour's worth of calls.
  package final class Operations: Sendable {
    package enum State: Sendable {
      case pending(model: String)
      case ended(Result<HostModel, HostError>)
    }

    private struct Table {
      var states: [String: State] = [:]
      /// Names of ended ones, the oldest first.
      var ended: [String] = []
    }

    private static let most = 1000
    private let table = Mutex(Table())

    package init() {}

    package func begin(_ id: String, model: String) {
      table.withLock { $0.states[id] = .pending(model: model) }
    }

    package func end(_ id: String, with result: Result<HostModel, HostError>) {
      table.withLock { table in
        table.states[id] = .ended(result)
        table.ended.append(id)
        if table.ended.count > Operations.most { table.states[table.ended.removeFirst()] = nil }
      }
    }

    package subscript(id: String) -> State? { table.withLock { $0.states[id] } }

    /// Waits until an operation ends, at most so long.
    /// - Returns: What came out; nil where it goes on.
    package func wait(_ id: String, atMost time: Duration) async -> Result<HostModel, HostError>? {
      let deadline = ContinuousClock.now + time
      var pause = Duration.milliseconds(1)
      while true {
        if case .ended(let result) = self[id] { return result }
        guard ContinuousClock.now < deadline else { return nil }
        try? await Task.sleep(for: pause)
        pause = min(pause * 2, .milliseconds(20))
      }
    }
  }
#endif
