// SPDX-License-Identifier: Apache-2.0

/// Values on their way to one reader, who waits for the next.
///
/// With room for one, a newer value replaces the one that waits, and no one is slowed:
///
///     let frames = Mailbox<VideoFrame>(.bufferingNewest(1))
package struct Mailbox<Value: Sendable>: Sendable {
  private let values: AsyncStream<Value>
  private let input: AsyncStream<Value>.Continuation

  /// Makes an empty one; by default nothing that waits is replaced.
  package init(_ policy: AsyncStream<Value>.Continuation.BufferingPolicy = .unbounded) {
    (values, input) = AsyncStream.makeStream(bufferingPolicy: policy)
  }

  /// Adds a value; never waits.
  /// - Returns: The value that gave its place to it, if any; after the end nothing is added.
  @discardableResult
  package func put(_ value: Value) -> AsyncStream<Value>.Continuation.YieldResult { input.yield(value) }

  /// Refuses later values; what waits is still given out.
  package func finish() { input.finish() }

  /// Returns the next value, and waits for it; nil after the end, and when the task is cancelled.
  package func take() async -> Value? {
    var iterator = values.makeAsyncIterator()
    return await iterator.next()
  }
}
