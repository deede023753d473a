// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// The engines of equal requests, so that models are loaded once, and frames of equal detectors belong to one stream.
///
/// An engine lives as long as somebody uses it; of those that no one uses, the ones used last are kept for the next.
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
    /// The queues that are kept, the one used last at the end.
    var recent: [(key: Key, queue: SerialCallQueue<Engine>)] = []
  }
  private let state = Mutex(State())
  private let limit: Int

  /// Makes an empty cache.
  /// - Parameter limit: How many engines are kept although no one uses them.
  package init(limit: Int) { self.limit = limit }

  /// The queue of calls to the engine of a request; the engine is made by its first call.
  func queue(for request: Engine.Request, _ model: ModelStamp?) -> SerialCallQueue<Engine> {
    let key = Key(request: request, model: model)
    return state.withLock { state in
      let queue =
        state.queues[key]?.queue
        ?? SerialCallQueue { () async throws(MLError) in
          try await ModelReference.onTrial(request.customModel) { () async throws(MLError) in
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

  /// How many engines are kept.
  var count: Int { state.withLock { $0.recent.count } }
}
