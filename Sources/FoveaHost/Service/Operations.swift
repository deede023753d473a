// SPDX-License-Identifier: Apache-2.0
#if Server
  internal import Synchronization

  /// Checks that are under way, and those that have ended in the last hour's worth of calls.
  package final class Operations: Sendable {
    package enum State: Sendable {
      case pending(model: String)
      case ended(Result<HostModel, HostError>)
    }

    /// A publish over the host's own route.
    package struct Publish: Sendable {
      package let model: String
      /// What it has done; nil until its check has ended well.
      package fileprivate(set) var made: PublishedVersion?

      package init(model: String) { self.model = model }
    }

    private struct Table {
      var states: [String: State] = [:]
      var publishes: [String: Publish] = [:]
      /// Names of ended ones, the oldest first.
      var ended: [String] = []
    }

    private static let most = 1000
    private let table = Mutex(Table())

    package init() {}

    package func begin(_ id: String, model: String) {
      table.withLock { $0.states[id] = .pending(model: model) }
    }

    package func begin(_ id: String, _ publish: Publish) {
      table.withLock { table in
        table.states[id] = .pending(model: publish.model)
        table.publishes[id] = publish
      }
    }

    /// A publish over the host's own route; nil for other operations, and for those that are forgotten.
    package func publish(_ id: String) -> (publish: Publish, state: State)? {
      table.withLock { table in
        guard let publish = table.publishes[id], let state = table.states[id] else { return nil }
        return (publish, state)
      }
    }

    package func end(_ id: String, with made: PublishedVersion) {
      table.withLock { $0.publishes[id]?.made = made }
      end(id, with: .success(made.model))
    }

    package func end(_ id: String, with result: Result<HostModel, HostError>) {
      table.withLock { table in
        table.states[id] = .ended(result)
        table.ended.append(id)
        guard table.ended.count > Operations.most else { return }
        let first = table.ended.removeFirst()
        table.states[first] = nil
        table.publishes[first] = nil
      }
    }

    package subscript(id: String) -> State? { table.withLock { $0.states[id] } }

    /// Waits until an operation ends, at most so long.
    /// - Returns: What came out; nil where it goes on.
    package func wait(_ id: String, atMost time: Duration) async -> Result<HostModel, HostError>? {
      let deadline = ContinuousClock.now + time
      var pause = Duration.milliseconds(1)
      while !Task.isCancelled {
        if case .ended(let result) = self[id] { return result }
        guard ContinuousClock.now < deadline else { return nil }
        try? await Task.sleep(for: pause)
        pause = min(pause * 2, .milliseconds(20))
      }
      return nil
    }
  }
#endif
