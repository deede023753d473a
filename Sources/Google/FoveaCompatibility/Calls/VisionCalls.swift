// SPDX-License-Identifier: Apache-2.0

package import Dispatch
import Synchronization

/// The implementation of the detectors and labelers of Google's API: every call goes through it.
///
/// It is cheap to create: models are loaded by the first call, and shared by all objects with equal requests.
/// Loaded models are kept: replacing or deleting a model affects only detectors and labelers created
/// afterwards.
package final class VisionCalls<Engine: VisionEngine>: Sendable {
  private let request: Engine.Request
  private let cache: EngineCache<Engine>
  /// The current queue, kept so that models and stream live as long as the detector.
  private let current = Mutex<SerialCallQueue<Engine>?>(nil)
  private let queue = Mutex<DispatchQueue?>(nil)

  /// Creates a detector or labeler.
  /// - Parameters:
  ///   - request: The request.
  ///   - isIsolated: Whether it has its own models and stream.
  package init(_ request: Engine.Request, isIsolated: Bool = false) {
    self.request = request
    cache = isIsolated ? EngineCache(limit: 1) : Engine.cache
  }

  /// The queue on which completions are called; nil selects one, see `CallbackDelivery`.
  package var callbackQueue: DispatchQueue? {
    get { queue.withLock { $0 } }
    set { queue.withLock { $0 = newValue } }
  }

  /// Processes an image and calls the completion.
  package func process(_ image: VisionInput, completion: Completion<[Engine.Finding]>) {
    let queue = callbackQueue
    do throws(MLError) {
      try calls().begin { engine async throws(MLError) in
        try await engine.find(in: image)
      } end: { result in
        CallbackDelivery.shared.deliver(on: queue) { completion.call(result) }
      }
    } catch {
      CallbackDelivery.shared.deliver(on: queue) { completion.call(.failure(error)) }
    }
  }

  /// Processes an image and blocks until it has a result, on any thread.
  package func results(in image: VisionInput) throws(MLError) -> [Engine.Finding] {
    try calls().wait { engine async throws(MLError) in try await engine.find(in: image) }
  }

  /// Processes an image without blocking a thread; cancelling the task cancels it.
  package func process(_ image: VisionInput) async throws(MLError) -> [Engine.Finding] {
    try await calls().call { engine async throws(MLError) in try await engine.find(in: image) }
  }

  /// Resets the state kept between images, after all earlier calls.
  package func reset() {
    // A model that cannot be found has no state.
    guard let calls = try? calls() else { return }
    calls.begin { engine in
      engine.reset()
    } end: { _ in
    }
  }

  /// Returns the queue of the first call; a new queue only if the models of that one could not be loaded.
  private func calls() throws(MLError) -> SerialCallQueue<Engine> {
    if let calls = current.withLock({ $0 }), !calls.isBroken { return calls }
    let stamp: ModelStamp? =
      if let model = request.customModel { ModelStamp(path: try model.path()) } else { nil }
    let calls = cache.queue(for: request, stamp)
    current.withLock { $0 = calls }
    return calls
  }
}
