// SPDX-License-Identifier: Apache-2.0
#if Server
import Synchronization

extension Scheduler {
  /// Runs `body` in a slot, and returns at the deadline whether it has ended or not.
  /// - Parameters:
  ///   - client: The client whose queue the call waits in.
  ///   - limit: The call's time limit.
  ///   - body: The work; it is cancelled at the deadline, or with the task.
  /// - Returns: The result of `body`, and the time the call waited.
  /// - Throws: A refusal if the queue is full or the deadline has passed; `CancellationError`; the errors of
  ///   `body`.
  package func run<R: Sendable>(
    for client: String, within limit: Duration, _ body: @escaping @Sendable () async throws -> R
  ) async throws -> (value: R, waited: Duration) {
    var answer: (value: R, waited: Duration)?
    try await run(parts: 1, for: client, within: limit) { _ in
      try await body()
    } ready: { value, waited in
      answer = (value, waited)
    }
    guard let answer else { throw CancellationError() }
    return answer
  }

  /// An event of a call's part.
  private enum PartEvent<R: Sendable>: Sendable {
    /// The part got a slot.
    case begun(Int)
    case done(Int, R, waited: Duration)
    case failed(any Error)
    /// The time of the whole call has expired.
    case late
  }

  /// Runs the parts of one call, such as the images of a request, and cancels all of them at the deadline.
  ///
  /// They share one place in the queue: a part requests a slot once the previous part has got its own. So a
  /// single call never fills the queue, and other calls get their turns between its parts. The queue's limits
  /// apply only to its first part; the call keeps its place for the rest, unless other calls of its client
  /// are still running after their deadline.
  /// - Parameters:
  ///   - parts: The number of parts.
  ///   - client: The client whose queue they wait in.
  ///   - limit: The time limit of all parts together.
  ///   - body: The work for a part, given its index.
  ///   - ready: Called in the order of the parts, with the result of `body` and the part's wait, counted from
  ///     the start of the call, as soon as all parts up to this one are done.
  /// - Throws: A refusal if the queue is full or the deadline has passed; `CancellationError`; the first
  ///   error of `body`, which cancels the other parts.
  package func run<R: Sendable>(
    parts: Int, for client: String, within limit: Duration,
    _ body: @escaping @Sendable (_ part: Int) async throws -> R,
    ready: (_ value: R, _ waited: Duration) -> Void
  ) async throws {
    guard parts > 0 else { return }
    let expiry = Expiry()
    let start = ContinuousClock.now
    let (events, report) = AsyncStream.makeStream(of: PartEvent<R>.self)
    var work: [Int: Task<Void, Never>] = [:]
    func begin(_ part: Int) {
      let id = newNumber()
      work[id] = Task { [self] in
        do {
          let (value, waited) = try await inSlot(
            id, for: client, within: limit, since: start, expiry, hasPlace: part > 0,
            begun: { report.yield(.begun(part)) }
          ) { try await body(part) }
          report.yield(.done(part, value, waited: waited))
        } catch { report.yield(.failed(error)) }
      }
    }
    let timer = Task {
      guard (try? await Task.sleep(for: limit)) != nil else { return }
      expiry.hasCome.store(true, ordering: .releasing)
      report.yield(.late)
    }
    defer { timer.cancel() }
    do {
      begin(0)
      var done: [Int: (value: R, waited: Duration)] = [:]
      var told = 0
      for await event in events {
        switch event {
        case .begun(let part): if part + 1 < parts { begin(part + 1) }
        case .done(let part, let value, let waited):
          done[part] = (value, waited)
          while let next = done.removeValue(forKey: told) {
            told += 1
            ready(next.value, next.waited)
          }
          guard told < parts else { return }
        case .failed(let error): throw error
        case .late: throw Scheduler.late(limit)
        }
      }
      // The event stream ends early if this task is cancelled.
      throw CancellationError()
    } catch {
      await abandon(work, end: start + limit)
      throw error
    }
  }
}
#endif
