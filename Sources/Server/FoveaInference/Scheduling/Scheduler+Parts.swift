// SPDX-License-Identifier: Apache-2.0
#if Server
import Synchronization

extension Scheduler {
  /// Runs `body` in a slot, and answers at the deadline whether it has ended or not.
  /// - Parameters:
  ///   - client: Whose line the call waits in.
  ///   - limit: The time that it has.
  ///   - body: What to do; it is cancelled at the deadline, or where the task is.
  /// - Returns: What `body` returns, and how long the call waited.
  /// - Throws: A refusal where there is no place or the deadline has passed; `CancellationError`; what `body` throws.
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

  /// What happens to the parts of a call.
  private enum PartEvent<R: Sendable>: Sendable {
    /// The part has a slot.
    case begun(Int)
    case done(Int, R, waited: Duration)
    case failed(any Error)
    /// The time of the whole call is up.
    case late
  }

  /// Runs the parts of one call, as the images of a request, and ends them all at the deadline.
  ///
  /// They have one place in the line together: a part asks for a slot when the one before has got its own. So one call
  /// never fills the line against itself, and others have their turns between its parts. The bounds of the line are for
  /// its first part; it keeps the place for the rest, unless other calls of its client are worked on after their deadline.
  /// - Parameters:
  ///   - parts: How many there are.
  ///   - client: Whose line they wait in.
  ///   - limit: The time that all of them have together.
  ///   - body: What to do for a part, by its index.
  ///   - ready: Called in the order of the parts, with what `body` returns and how long the part waited, counted from the
  ///     begin of the call; each is called as soon as the part and all before it are done.
  /// - Throws: A refusal where there is no place or the deadline has passed; `CancellationError`; the first error of
  ///   `body`, which ends the other parts.
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
      // No one waits for the events of a task that is cancelled.
      throw CancellationError()
    } catch {
      await abandon(work, end: start + limit)
      throw error
    }
  }
}
#endif
