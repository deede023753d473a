// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore
import Synchronization

/// Work on files that were sent with a key: it ends early once the key is no longer valid, and publishes also
/// once the host shuts down.
///
/// Without this, a model with an endless loop would keep its place for half a minute after its key was
/// revoked.
final class SentWork: Sendable {
  private struct Piece {
    let keyCheck: KeyCheck
    let endsWithHost: Bool
    let cancel: @Sendable () -> Void
  }

  private struct State {
    var pieces: [Int: Piece] = [:]
    var next = 0
    var isStopping = false
  }

  private let state = Mutex(State())

  /// Runs a piece of work.
  /// - Parameters:
  ///   - keyCheck: Checks the key that sent the file.
  ///   - endsWithHost: True if ``stop()`` ends it; false, the default, for the check of a model that is
  ///     already stored, which the next start continues.
  ///   - body: The work.
  /// - Returns: The result of `body`, which may also complete after it was cancelled.
  /// - Throws: The error of `keyCheck` if `body` was cancelled for it, `unavailable` if it was for the end of
  ///   the host, and any error of `body`.
  func run<Value: Sendable>(
    if keyCheck: @escaping KeyCheck, endsWithHost: Bool = false,
    _ body: @escaping @Sendable () async throws(HostError) -> Value
  ) async throws(HostError) -> Value {
    if endsWithHost, state.withLock({ $0.isStopping }) { throw .publishStopped }
    try keyCheck()
    let task = Task { () -> Result<Value, HostError> in
      do throws(HostError) { return .success(try await body()) } catch { return .failure(error) }
    }
    let piece = Piece(keyCheck: keyCheck, endsWithHost: endsWithHost) { task.cancel() }
    let (id, isStopping) = state.withLock { state in
      state.next += 1
      state.pieces[state.next] = piece
      return (state.next, state.isStopping)
    }
    defer { state.withLock { $0.pieces[id] = nil } }
    // Either may have ended before the work was known here.
    if isStopping && endsWithHost || !SentWork.isValid(keyCheck) { task.cancel() }
    let result = await withTaskCancellationHandler {
      await task.value
    } onCancel: {
      task.cancel()
    }
    if case .failure(let error) = result, error.code == .cancelled, !Task.isCancelled {
      try keyCheck()
      if endsWithHost, state.withLock({ $0.isStopping }) { throw .publishStopped }
    }
    return try result.get()
  }

  /// Cancels the work of keys that are no longer valid.
  func recheck() {
    let pieces = state.withLock { Array($0.pieces.values) }
    for piece in pieces where !SentWork.isValid(piece.keyCheck) { piece.cancel() }
  }

  /// Cancels publishes, now and from now on: a moment later their connections would be closed without a
  /// response.
  func stop() {
    let pieces = state.withLock { state in
      state.isStopping = true
      return Array(state.pieces.values)
    }
    for piece in pieces where piece.endsWithHost { piece.cancel() }
  }

  private static func isValid(_ keyCheck: KeyCheck) -> Bool {
    do throws(HostError) { try keyCheck() } catch { return false }
    return true
  }
}
#endif
