// SPDX-License-Identifier: Apache-2.0

import FoveaCore
import Synchronization

/// Work that all who want its result at the same time share; it is cancelled when the last of them is.
final class SharedWork<Value: Sendable>: Sendable {
  typealias Answer = Result<Value, ConfigError>

  private struct Run {
    let number: Int
    var waiting: [Int: @Sendable (Answer) -> Void]
    var task: Task<Void, Never>?
  }

  private struct State {
    var run: Run?
    /// Those that were cancelled before they could wait.
    var gone: Set<Int> = []
    var lastNumber = 0

    mutating func number() -> Int {
      lastNumber += 1
      return lastNumber
    }
  }

  private let state = Mutex(State())

  /// The result of the work that is under way, or of this one.
  /// - Parameter work: What to do where nothing is under way.
  /// - Returns: The result.
  /// - Throws: What the work throws; `cancelled` at once where the caller's task is cancelled.
  func value(
    _ work: @escaping @Sendable () async throws(ConfigError) -> Value
  ) async throws(ConfigError) -> Value {
    let number = state.withLock { $0.number() }
    let answer = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        join(number, work) { continuation.resume(returning: $0) }
      }
    } onCancel: {
      leave(number)
    }
    state.withLock { _ = $0.gone.remove(number) }
    return try answer.get()
  }

  private func join(
    _ number: Int, _ work: @escaping @Sendable () async throws(ConfigError) -> Value,
    _ completion: @escaping @Sendable (Answer) -> Void
  ) {
    let isGone = state.withLock { state in
      guard !state.gone.contains(number) else { return true }
      guard state.run == nil else {
        state.run?.waiting[number] = completion
        return false
      }
      let run = state.number()
      let task = Task {
        let answer: Answer
        do throws(ConfigError) { answer = .success(try await work()) } catch { answer = .failure(error) }
        self.finish(run, answer)
      }
      state.run = Run(number: run, waiting: [number: completion], task: task)
      return false
    }
    if isGone { completion(.failure(Self.cancelled)) }
  }

  private func finish(_ number: Int, _ answer: Answer) {
    let waiting = state.withLock { state -> [@Sendable (Answer) -> Void] in
      // One that everyone left may still be ending while the next one runs.
      guard let run = state.run, run.number == number else { return [] }
      state.run = nil
      return Array(run.waiting.values)
    }
    for completion in waiting { completion(answer) }
  }

  private func leave(_ number: Int) {
    let (completion, task) = state.withLock { state -> ((@Sendable (Answer) -> Void)?, Task<Void, Never>?) in
      guard let completion = state.run?.waiting.removeValue(forKey: number) else {
        state.gone.insert(number)
        return (nil, nil)
      }
      guard let run = state.run, run.waiting.isEmpty else { return (completion, nil) }
      state.run = nil
      return (completion, run.task)
    }
    task?.cancel()
    completion?(.failure(Self.cancelled))
  }

  private static var cancelled: ConfigError {
    ConfigError(.cancelled, "The task that waited for the host was cancelled", remedy: "Call again")
  }
}
