// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// A fixed number of equal resources, each on its own thread, that any number of tasks may use.
///
/// *Latency*: one resource whose session has several threads. *Throughput*: several resources with one thread each.
/// Callers wait in the order in which they came; a cancelled one gives up its place. The first resource is made when
/// the pool is made, so that a bad model is an error there; the others when they are first needed.
public final class WorkerPool<Resource>: Sendable {
  private struct Waiter {
    let id: Int
    let continuation: CheckedContinuation<Worker<Resource>, any Error>
  }
  private struct State {
    var idle: [Worker<Resource>]
    var waiting: [Waiter] = []
    var nextID = 0
    // Callers that have a number but have not asked for a worker yet.
    var arriving: Set<Int> = []
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

  private func acquire() async throws -> Worker<Resource> {
    let id = state.withLock { state in
      state.nextID += 1
      state.arriving.insert(state.nextID)
      return state.nextID
    }
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let ready: Result<Worker<Resource>, any Error>? = state.withLock { state in
          guard state.arriving.remove(id) != nil else { return .failure(CancellationError()) }
          if let worker = state.idle.popLast() { return .success(worker) }
          state.waiting.append(Waiter(id: id, continuation: continuation))
          return nil
        }
        if let ready { continuation.resume(with: ready) }
      }
    } onCancel: {
      let waiter: Waiter? = state.withLock { state in
        // Gone from here, a caller that has not asked yet is refused; one that was served is left alone.
        state.arriving.remove(id)
        guard let index = state.waiting.firstIndex(where: { $0.id == id }) else { return nil }
        return state.waiting.remove(at: index)
      }
      waiter?.continuation.resume(throwing: CancellationError())
    }
  }

  private func release(_ worker: Worker<Resource>) {
    let next: Waiter? = state.withLock { state in
      if state.waiting.isEmpty {
        state.idle.append(worker)
        return nil
      }
      return state.waiting.removeFirst()
    }
    next?.continuation.resume(returning: worker)
  }
}
