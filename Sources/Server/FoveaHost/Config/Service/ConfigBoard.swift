// SPDX-License-Identifier: Apache-2.0
#if Server
import Synchronization

/// The templates in force in memory, so that devices are answered without the database.
package final class ConfigBoard: Sendable {
  /// The template in force and its version; nil before the first template.
  package struct Current: Sendable {
    package let template: ConfigTemplate
    package let version: ConfigVersion?
    /// The work of a fetch, added up once for each version.
    package let work: FetchWork

    init(template: ConfigTemplate, version: ConfigVersion?) {
      self.template = template
      self.version = version
      work = FetchWork(of: template)
    }

    /// The number of the version, 0 before the first version.
    package var number: Int { version?.number ?? 0 }
  }

  /// A stream that waits for new versions.
  private struct Waiting {
    let client: String
    let continuation: AsyncStream<Int>.Continuation
  }

  private struct State {
    var current: [ConfigNamespace: Current] = [:]
    var waiting: [Int: Waiting] = [:]
    /// The number of each client's streams.
    var counts: [String: Int] = [:]
    var nextID = 0
    var hasEnded = false
  }

  /// The maximum number of streams waiting for new versions.
  package static let mostWaiting = 4_000
  /// The maximum number of them from one address: devices of one network share it.
  package static let mostOfOneClient = mostWaiting / 4

  private let state = Mutex(State())

  package init() {}

  /// Returns the template in force; an empty one before the first.
  package func current(_ namespace: ConfigNamespace) -> Current {
    state.withLock { $0.current[namespace] } ?? Current(template: ConfigTemplate(namespace), version: nil)
  }

  /// The numbers of the templates in force.
  var numbers: [ConfigNamespace: Int] { state.withLock { $0.current.mapValues(\.number) } }

  /// Sets a template after a commit, and wakes the waiting streams; a version older than the current one is
  /// ignored.
  package func enter(_ template: ConfigTemplate, _ version: ConfigVersion) {
    let new = Current(template: template, version: version)
    state.withLock { state in
      guard version.number > state.current[template.namespace]?.number ?? 0 else { return }
      state.current[template.namespace] = new
      guard template.namespace == .apps else { return }
      for waiting in state.waiting.values { waiting.continuation.yield(version.number) }
    }
  }

  /// Returns the numbers of the versions for apps from now on, until the host stops.
  /// - Parameter client: The client that waits.
  /// - Returns: Nil if too many streams are waiting, in all or of this client.
  package func changes(for client: String) -> (id: Int, numbers: AsyncStream<Int>)? {
    let (stream, continuation) = AsyncStream<Int>.makeStream(bufferingPolicy: .bufferingNewest(1))
    return state.withLock { state in
      guard state.waiting.count < ConfigBoard.mostWaiting,
        state.counts[client] ?? 0 < ConfigBoard.mostOfOneClient
      else { return nil }
      state.nextID += 1
      if state.hasEnded {
        continuation.finish()
      } else {
        state.waiting[state.nextID] = Waiting(client: client, continuation: continuation)
        state.counts[client, default: 0] += 1
      }
      return (state.nextID, stream)
    }
  }

  /// Closes a stream of ``changes(for:)``.
  package func leave(_ id: Int) {
    let left = state.withLock { state -> Waiting? in
      guard let left = state.waiting.removeValue(forKey: id) else { return nil }
      let rest = (state.counts[left.client] ?? 0) - 1
      state.counts[left.client] = rest > 0 ? rest : nil
      return left
    }
    left?.continuation.finish()
  }

  /// Closes all streams, including later ones.
  package func end() {
    let waiting = state.withLock { state in
      state.hasEnded = true
      defer { (state.waiting, state.counts) = ([:], [:]) }
      return state.waiting
    }
    for waiting in waiting.values { waiting.continuation.finish() }
  }

  /// The number of waiting streams.
  package var waiting: Int { state.withLock { $0.waiting.count } }
}
#endif
