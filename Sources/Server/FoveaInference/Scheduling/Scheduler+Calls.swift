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
    let expiry = Expiry()
    let start = ContinuousClock.now
    let id = newNumber()
    let (answers, report) = AsyncThrowingStream.makeStream(of: (R, Duration).self)
    let work = Task { [self] in
      do {
        report.yield(try await inSlot(id, for: client, within: limit, since: start, expiry, body))
        report.finish()
      } catch { report.finish(throwing: error) }
    }
    let timer = Task {
      guard (try? await Task.sleep(for: limit)) != nil else { return }
      expiry.hasCome.store(true, ordering: .releasing)
      report.finish(throwing: Scheduler.late(limit))
    }
    defer { timer.cancel() }
    do {
      for try await answer in answers { return answer }
      // No one waits for the answer of a task that is cancelled.
      throw CancellationError()
    } catch {
      await abandon([id: work], end: start + limit)
      throw error
    }
  }
}
#endif
