// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// The engines of equal requests: models are loaded once, and frames of equal detectors belong to one stream.
///
/// An engine lives while it is in use; of the unused ones, the most recently used are kept for reuse.
package final class EngineCache<Engine: VisionEngine>: Sendable {
  private struct Key: Hashable, Sendable {
    var request: Engine.Request
    /// The state of the custom model's files: a changed file is another model.
    var model: ModelStamp?
  }
  private struct Weak: Sendable {
    weak let queue: SerialCallQueue<Engine>?
  }
  private struct State {
    var queues: [Key: Weak] = [:]
    /// The queues that are kept, the most recently used at the end.
    var recent: [(key: Key, queue: SerialCallQueue<Engine>)] = []
  }
  private let state = Mutex(State())
  private let limit: Int

  /// Creates an empty cache.
  /// - Parameter limit: The largest number of engines that are kept while unused.
  package init(limit: Int) { self.limit = limit }

  /// Returns the queue of calls to the engine of a request; the first call makes the engine.
  func queue(for request: Engine.Request, _ model: ModelStamp?) -> SerialCallQueue<Engine> {
    let key = Key(request: request, model: model)
    return state.withLock { state in
      let queue =
        state.queues[key]?.queue
        ?? SerialCallQueue { () async throws(MLError) in
          try await ModelReference.withFirstLaunchCheck(request.customModel) { () async throws(MLError) in
            try await Engine(request)
          }
        }
      state.queues[key] = Weak(queue: queue)
      state.recent.removeAll { $0.key == key }
      state.recent.append((key, queue))
      if state.recent.count > limit {
        state.recent.removeFirst()
        state.queues = state.queues.filter { $0.value.queue != nil }
      }
      return queue
    }
  }

  /// The number of engines that are kept.
  var count: Int { state.withLock { $0.recent.count } }
}
