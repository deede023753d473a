// SPDX-License-Identifier: Apache-2.0

package import FoveaCore
import Synchronization

/// A fixed number of equal resources, each on its own thread, that any number of tasks may use.
///
/// *Latency*: one resource whose session has several threads. *Throughput*: several resources with one thread each.
/// Callers wait in the order in which they came; a cancelled one gives up its place. The first resource is made when
/// the pool is made, so that a bad model is an error there; the others when they are first needed.
public final class WorkerPool<Resource>: Sendable {
  private typealias Turn = Result<Worker<Resource>, any Error>
  private struct State {
    var idle: [Worker<Resource>]
    var waiting = WaiterQueue<CheckedContinuation<Turn, Never>>()
  }
  private let state: Mutex<State>

  /// How many callers can be served at the same time.
  public let count: Int

  /// Makes a pool.
  /// - Parameters:
  ///   - count: The number of resources, 1 or more.
  ///   - make: Makes one resource; called on the thread that will own it.
  /// - Throws: What `make` throws.
  public init(count: Int, make: @escaping @Sendable () throws -> Resource) async throws {
    precondition(count >= 1, "a pool needs at least one worker, got \(count)")
    self.count = count
    let workers = (0..<count).map { Worker(label: "fovea.worker.\($0)", make: make) }
    // Idle workers are taken from the end: the first, which has its resource already, is taken first.
    state = Mutex(State(idle: workers.reversed()))
    try await workers[0].run { _ in }
  }

  /// Calls `body` with a free resource, on the resource's own thread.
  /// - Parameter body: Uses the resource; it must not keep it.
  /// - Returns: What `body` returns.
  /// - Throws: `CancellationError` when the task is cancelled while it waits; what `body` throws.
  public func withResource<R: Sendable>(_ body: @Sendable (Resource) throws -> R) async throws -> R {
    let worker = try await acquire()
    defer { release(worker) }
    return try await worker.run(body)
  }

  /// Calls `body` with a free resource and a token that the task's cancellation sets.
  package func callCancellable<R: Sendable>(
    _ body: @Sendable (Resource, CancellationToken) throws -> R
  ) async throws(FoveaError) -> R {
    let token = CancellationToken()
    do {
      return try await withTaskCancellationHandler {
        try await withResource { resource in try body(resource, token) }
      } onCancel: {
        token.cancel()
      }
    } catch {
      throw FoveaError(error)
    }
  }

  private func acquire() async throws -> Worker<Resource> {
    let turn: Turn = await WaitTicket.wait(cancelled: .failure(CancellationError())) { ticket, caller in
      state.withLock { state -> Turn? in
        if let worker = state.idle.popLast() { return .success(worker) }
        state.waiting.append(caller, ticket)
        return nil
      }
    } leave: { ticket in
      state.withLock { $0.waiting.remove(ticket) }
    }
    return try turn.get()
  }

  private func release(_ worker: Worker<Resource>) {
    let next = state.withLock { state in
      let next = state.waiting.popFirst()
      if next == nil { state.idle.append(worker) }
      return next
    }
    next?.resume(returning: .success(worker))
  }
}
