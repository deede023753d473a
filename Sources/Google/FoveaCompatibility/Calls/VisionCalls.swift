// SPDX-License-Identifier: Apache-2.0

package import Dispatch
import Synchronization

/// What a detector or labeler of Google's names does: every call of it comes through here.
///
/// Cheap to make; models are loaded at the first call, and shared by all with equal requests. What was loaded is kept: a
/// model that is replaced or deleted afterwards is another one for detectors and labelers that are made later, and changes
/// nothing for this one.
package final class VisionCalls<Engine: VisionEngine>: Sendable {
  private let request: Engine.Request
  private let cache: EngineCache<Engine>
  /// The queue that is kept, so that models and stream live as long as the detector.
  private let current = Mutex<SerialCallQueue<Engine>?>(nil)
  private let queue = Mutex<DispatchQueue?>(nil)

  /// Makes a detector or labeler.
  /// - Parameters:
  ///   - request: What is asked for.
  ///   - isIsolated: Whether it has its own models and stream.
  package init(_ request: Engine.Request, isIsolated: Bool = false) {
    self.request = request
    cache = isIsolated ? EngineCache(limit: 1) : Engine.cache
  }

  /// Where completions are called; nil chooses, see `CallbackDelivery`.
  package var callbackQueue: DispatchQueue? {
    get { queue.withLock { $0 } }
    set { queue.withLock { $0 = newValue } }
  }

  /// Processes an image and calls back.
  package func process(_ picture: VisionInput, completion: Completion<[Engine.Finding]>) {
    let queue = callbackQueue
    do throws(MLError) {
      try calls().begin { engine async throws(MLError) in
        try await engine.find(in: picture)
      } end: { result in
        CallbackDelivery.shared.deliver(on: queue) { completion.call(result) }
      }
    } catch {
      CallbackDelivery.shared.deliver(on: queue) { completion.call(.failure(error)) }
    }
  }

  /// Processes an image and waits, on any thread.
  package func results(in picture: VisionInput) throws(MLError) -> [Engine.Finding] {
    try calls().wait { engine async throws(MLError) in try await engine.find(in: picture) }
  }

  /// Processes an image without a thread that waits; a task that is cancelled cancels it.
  package func process(_ picture: VisionInput) async throws(MLError) -> [Engine.Finding] {
    try await calls().call { engine async throws(MLError) in try await engine.find(in: picture) }
  }

  /// Forgets what is remembered from image to image, after the calls that were made before.
  package func reset() {
    // A model that cannot be found remembers nothing.
    guard let calls = try? calls() else { return }
    calls.begin { engine in
      engine.reset()
    } end: { _ in
    }
  }

  /// The queue of the first call; another one only where its models could not be loaded.
  private func calls() throws(MLError) -> SerialCallQueue<Engine> {
    if let calls = current.withLock({ $0 }), !calls.isBroken { return calls }
    let stamp: ModelStamp? =
      if let model = request.customModel { ModelStamp(path: try model.path()) } else { nil }
    let calls = cache.queue(for: request, stamp)
    current.withLock { $0 = calls }
    return calls
  }
}
