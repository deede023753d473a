// SPDX-License-Identifier: Apache-2.0

package import FoveaCore
import Synchronization

/// A pool of equal resources, each on its own thread, shared by any number of tasks.
///
/// *Latency*: one resource whose session has several threads. *Throughput*: several resources with one thread
/// each. Callers wait in order of arrival; a cancelled one leaves the queue. The first resource is created
/// with the pool, so that a bad model is an error there; the others are created when first needed.
public final class WorkerPool<Resource>: Sendable {
  private typealias Turn = Result<Worker<Resource>, any Error>
  private struct State {
    var idle: [Worker<Resource>]
    var waiting = WaiterQueue<CheckedContinuation<Turn, Never>>()
  }
  private let state: Mutex<State>

  /// The number of callers that can be served at the same time.
  package let count: Int

  /// Creates a pool.
  /// - Parameters:
  ///   - count: The number of resources, 1 or more.
  ///   - make: A closure that creates one resource; called on the thread that will own it.
  /// - Throws: The error of `make`.
  public init(count: Int, make: @escaping @Sendable () throws -> Resource) async throws {
    precondition(count >= 1, "a pool needs at least one worker, got \(count)")
    self.count = count
    let workers = (0..<count).map { Worker(label: "fovea.worker.\($0)", make: make) }
    // Idle workers are taken from the end, so the first one, which already has its resource, is taken first.
    state = Mutex(State(idle: workers.reversed()))
    try await workers[0].run { _ in }
  }

  /// Calls `body` with a free resource, on the resource's own thread.
  /// - Parameter body: A closure that uses the resource, which must not escape it.
  /// - Returns: The result of `body`.
  /// - Throws: `CancellationError` if the task is cancelled while it waits; the error of `body`.
  public func withResource<R: Sendable>(_ body: @Sendable (Resource) throws -> R) async throws -> R {
    let worker = try await acquire()
    defer { release(worker) }
    return try await worker.run(body)
  }

  /// Calls `body` with a free resource and a token that is cancelled with the task.
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
