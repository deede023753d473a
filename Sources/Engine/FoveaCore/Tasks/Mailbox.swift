// SPDX-License-Identifier: Apache-2.0

/// A queue of values for one reader, which waits for the next.
///
/// With a capacity of one, a newer value replaces the waiting one, and the sender never waits:
///
///     let frames = Mailbox<VideoFrame>(.bufferingNewest(1))
package struct Mailbox<Value: Sendable>: Sendable {
  private let values: AsyncStream<Value>
  private let input: AsyncStream<Value>.Continuation

  /// Creates an empty mailbox; by default no waiting value is replaced.
  package init(_ policy: AsyncStream<Value>.Continuation.BufferingPolicy = .unbounded) {
    (values, input) = AsyncStream.makeStream(bufferingPolicy: policy)
  }

  /// Adds a value; never waits.
  /// - Returns: The value that it replaced, if any; after the end nothing is added.
  @discardableResult
  package func put(_ value: Value) -> AsyncStream<Value>.Continuation.YieldResult { input.yield(value) }

  /// Refuses later values; waiting ones are still delivered.
  package func finish() { input.finish() }

  /// Waits for the next value and returns it; nil after the end, or if the task is cancelled.
  package func take() async -> Value? {
    var iterator = values.makeAsyncIterator()
    return await iterator.next()
  }
}
