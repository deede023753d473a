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
  /// The line that is kept, so that models and stream live as long as the detector.
  private let current = Mutex<CallLine<Engine>?>(nil)
  private let queue = Mutex<DispatchQueue?>(nil)

  /// Makes a detector or labeler.
  /// - Parameters:
  ///   - request: What is asked for.
  ///   - isIsolated: Whether it has models and a stream of its own.
  package init(_ request: Engine.Request, isIsolated: Bool = false) {
    self.request = request
    cache = isIsolated ? EngineCache(limit: 1) : Engine.cache
  }

  /// Where completions are called; nil chooses, see `CallbackDelivery`.
  package var callbackQueue: DispatchQueue? {
    get { queue.withLock { $0 } }
    set { queue.withLock { $0 = newValue } }
  }

  /// Looks at an image and calls back.
  package func process(_ picture: VisionPicture, completion: Completion<[Engine.Finding]>) {
    let queue = callbackQueue
    do throws(MLError) {
      try line().begin { engine async throws(MLError) in
        try await engine.find(in: picture)
      } end: { result in
        CallbackDelivery.shared.deliver(on: queue) { completion.call(result) }
      }
    } catch {
      CallbackDelivery.shared.deliver(on: queue) { completion.call(.failure(error)) }
    }
  }

  /// Looks at an image and waits, on any thread.
  package func results(in picture: VisionPicture) throws(MLError) -> [Engine.Finding] {
    try line().wait { engine async throws(MLError) in try await engine.find(in: picture) }
  }

  /// Looks at an image without a thread that waits; a task that is cancelled cancels it.
  package func process(_ picture: VisionPicture) async throws(MLError) -> [Engine.Finding] {
    try await line().call { engine async throws(MLError) in try await engine.find(in: picture) }
  }

  /// Forgets what is remembered from image to image, after the calls that were made before.
  package func reset() {
    // A model that cannot be found remembers nothing.
    guard let line = try? line() else { return }
    line.begin { engine in
      engine.reset()
    } end: { _ in
    }
  }

  /// The line of the first call; another one only where its models could not be loaded.
  private func line() throws(MLError) -> CallLine<Engine> {
    if let line = current.withLock({ $0 }), !line.isBroken { return line }
    let stamp: ModelStamp? =
      if let model = request.customModel { ModelStamp(path: try model.path()) } else { nil }
    let line = cache.line(for: request, stamp)
    current.withLock { $0 = line }
    return line
  }
}
