// SPDX-License-Identifier: Apache-2.0

import Dispatch
import FoveaCore
import Synchronization

/// Runs the calls to one engine one at a time, in the order in which they were made, whether they block or
/// not.
///
/// The first call makes the engine; if that fails, the next call tries again.
package final class SerialCallQueue<Engine: Sendable>: Sendable {
  private let make: @Sendable () async throws(MLError) -> Engine
  // Callers that wait for a result may block all threads that tasks share.
  private let queue = QueueTaskExecutor(label: "fovea.calls")
  private let engine = Mutex<Engine?>(nil)
  private let last = Mutex<Task<Void, Never>?>(nil)
  private let lastMakeFailed = Atomic(false)

  /// Creates a queue; the engine is created later.
  package init(_ make: @escaping @Sendable () async throws(MLError) -> Engine) { self.make = make }

  /// Whether the last attempt to make the engine failed; false before the first call.
  package var isBroken: Bool { lastMakeFailed.load(ordering: .acquiring) }

  /// Starts a call: it is queued when this returns.
  /// - Parameters:
  ///   - work: Uses the engine.
  ///   - end: Receives the result, before the next call starts.
  /// - Returns: The call, which can be cancelled.
  @discardableResult package func begin<R: Sendable>(
    _ work: @escaping @Sendable (inout Engine) async throws(MLError) -> R,
    end: @escaping @Sendable (Result<R, MLError>) -> Void
  ) -> Task<Void, Never> {
    last.withLock { last in
      let before = last
      let call = Task(executorPreference: queue) {
        await before?.value
        end(await self.run(work))
      }
      last = call
      return call
    }
  }

  /// Runs a call and blocks the caller's thread until it has a result; works on every thread.
  package func wait<R: Sendable>(
    _ work: @escaping @Sendable (inout Engine) async throws(MLError) -> R
  ) throws(MLError) -> R {
    let outcome = Outcome<R>()
    begin(work) { outcome.set($0) }
    return try outcome.wait()
  }

  /// Runs a call without blocking a thread; cancelling the task cancels the call.
  package func call<R: Sendable>(
    _ work: @escaping @Sendable (inout Engine) async throws(MLError) -> R
  ) async throws(MLError) -> R {
    // A fast engine could finish before the cancellation of an already cancelled task reaches the call.
    if Task.isCancelled { throw MLError(.cancelled, "The call was cancelled", remedy: "Call again") }
    let outcome = Outcome<R>()
    let call = begin(work) { outcome.set($0) }
    await withTaskCancellationHandler {
      await call.value
    } onCancel: {
      call.cancel()
    }
    return try outcome.wait()
  }

  private func makeEngine() async throws(MLError) -> Engine {
    do throws(MLError) {
      let engine = try await make()
      lastMakeFailed.store(false, ordering: .releasing)
      return engine
    } catch {
      lastMakeFailed.store(true, ordering: .releasing)
      throw error
    }
  }

  private func run<R: Sendable>(
    _ work: @Sendable (inout Engine) async throws(MLError) -> R
  ) async -> Result<R, MLError> {
    do throws(MLError) {
      // Only one call at a time runs this, so no other call misses the engine meanwhile.
      var engine = if let made = self.engine.withLock({ $0.take() }) { made } else { try await makeEngine() }
      let result: Result<R, MLError>
      do throws(MLError) { result = .success(try await work(&engine)) } catch { result = .failure(error) }
      self.engine.withLock { $0 = engine }
      return result
    } catch {
      return .failure(error)
    }
  }

  /// The result of a call, for one waiting thread.
  private final class Outcome<R: Sendable>: Sendable {
    private let result = Mutex<Result<R, MLError>?>(nil)
    private let isThere = DispatchSemaphore(value: 0)

    func set(_ result: Result<R, MLError>) {
      self.result.withLock { $0 = result }
      isThere.signal()
    }

    func wait() throws(MLError) -> R {
      isThere.wait()
      guard let result = result.withLock({ $0 }) else {
        throw MLError(.internal, "A call ended without a result", remedy: "Report it with this text")
      }
      return try result.get()
    }
  }
}
