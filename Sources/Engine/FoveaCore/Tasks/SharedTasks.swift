// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// Tasks by key, each of which is shared by all callers that want its result, and cancelled when the last one
/// leaves.
package final class SharedTasks<Key: Hashable & Sendable, Listener: Sendable>: Sendable {
  /// One task of a key; the key's next task is another run.
  package struct Run: Sendable {
    fileprivate let key: Key
    fileprivate let ticket = WaitTicket()
  }

  private struct State: Sendable {
    let run: Run
    let task: Task<Void, Never>
    var listeners = WaiterQueue<Listener>()
  }

  private let states = Mutex<[Key: State]>([:])

  package init() {}

  /// Adds a listener to the task of a key, and starts the task unless it is running.
  /// - Parameters:
  ///   - key: The key.
  ///   - ticket: Identifies the listener in ``leave(_:_:)``.
  ///   - listener: The listener.
  ///   - inherits: Whether a new task has the caller's priority and task-local values.
  ///   - work: Performs the work, and passes its result to all listeners that ``end(_:)`` returns.
  package func join(
    _ key: Key, _ ticket: WaitTicket, _ listener: Listener, inherits: Bool = false,
    work: @escaping @Sendable (Run) async -> Void
  ) {
    states.withLock { states in
      if states[key] == nil {
        let run = Run(key: key)
        let task: Task<Void, Never> =
          if inherits { Task { await work(run) } } else { Task.detached { await work(run) } }
        states[key] = State(run: run, task: task)
      }
      states[key]?.listeners.append(listener, ticket)
    }
  }

  /// Waits for the result of the task of a key, and starts the task unless it is running.
  /// - Throws: The error of `work`; `cancelled` immediately if the caller's task is cancelled.
  package func value<Value: Sendable, Failure: Error>(
    _ key: Key, cancelled: Failure, work: @escaping @Sendable () async throws(Failure) -> Value
  ) async throws(Failure) -> Value where Listener == CheckedContinuation<Result<Value, Failure>, Never> {
    let answer: Result<Value, Failure> = await WaitTicket.wait(cancelled: .failure(cancelled)) {
      ticket, listener in
      join(key, ticket, listener, inherits: true) { run in
        let result: Result<Value, Failure>
        do throws(Failure) { result = .success(try await work()) } catch { result = .failure(error) }
        for listener in self.end(run) { listener.resume(returning: result) }
      }
      return nil
    } leave: { ticket in
      leave(key, ticket)
    }
    return try answer.get()
  }

  /// Returns the listeners of a task; none once all have left it, even if the next task of its key is
  /// running.
  package func listeners(of run: Run) -> [Listener] {
    states.withLock { states in
      guard let state = states[run.key], state.run.ticket === run.ticket else { return [] }
      return state.listeners.waiters
    }
  }

  /// Finishes a task, so that the next listener starts another.
  /// - Returns: Its last listeners.
  package func end(_ run: Run) -> [Listener] {
    states.withLock { states in
      guard let state = states[run.key], state.run.ticket === run.ticket else { return [] }
      states[run.key] = nil
      return state.listeners.waiters
    }
  }

  /// Removes a listener, and cancels the task if it was the last one.
  /// - Returns: The listener; nil if there is none, or if its task has ended.
  package func leave(_ key: Key, _ ticket: WaitTicket) -> Listener? {
    let (listener, task) = states.withLock { states -> (Listener?, Task<Void, Never>?) in
      guard let listener = states[key]?.listeners.remove(ticket) else { return (nil, nil) }
      guard let state = states[key], state.listeners.count == 0 else { return (listener, nil) }
      states[key] = nil
      return (listener, state.task)
    }
    task?.cancel()
    return listener
  }
}
