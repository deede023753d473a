// SPDX-License-Identifier: Apache-2.0
#if Server
import Synchronization

/// The state that the calls of a client change one after the other, such as the objects of a video.
///
/// The call that changes it is its only owner, so that its memory is not copied.
final class CallState<Value: Sendable>: Sendable {
  /// Nil while a call has it.
  private let value: Mutex<Value?>

  /// Creates a state before the first call.
  init(_ value: Value) { self.value = Mutex(value) }

  /// Lends the value to a call.
  /// - Parameter body: The work of the call; its changes remain even if it fails.
  /// - Returns: The result of `body`.
  /// - Throws: `share-used` if an earlier call still has the value, after its deadline; the errors of `body`.
  func change<R: Sendable>(_ body: (inout Value) async throws -> R) async throws -> R {
    guard var lent = value.withLock({ $0.take() }) else { throw SchedulerState.shareOverdue }
    defer { value.withLock { $0 = lent } }
    return try await body(&lent)
  }

  /// Changes the value between two calls.
  /// - Returns: The result of `body`; nil if a call has the value.
  @discardableResult
  func withValue<R: Sendable>(_ body: (inout Value) -> R) -> R? {
    value.withLock { value in
      guard var own = value.take() else { return nil }
      defer { value = own }
      return body(&own)
    }
  }

  /// Changes the value as soon as no call has it, even if the task is cancelled.
  /// - Parameters:
  ///   - limit: The longest wait.
  ///   - body: The change.
  /// - Returns: The result of `body`; nil if a call still has the value after `limit`.
  @discardableResult
  func withValue<R: Sendable>(
    within limit: Duration, _ body: @escaping @Sendable (inout Value) -> R
  ) async -> R? {
    if let result = withValue(body) { return result }
    // A task of its own, because a cancelled one does not sleep.
    return await Task {
      let end = ContinuousClock.now + limit
      while ContinuousClock.now < end {
        try? await Task.sleep(for: .milliseconds(5))
        if let result = withValue(body) { return result }
      }
      return nil
    }.value
  }
}
#endif
