// SPDX-License-Identifier: Apache-2.0

/// The results of a session, for one task.
///
/// They can outlive the session: once nothing refers to the session, no more frames can arrive, and the
/// results end. A cancelled task receives no more. If two tasks read, each result is delivered to only one of
/// them.
public struct FrameResults: AsyncSequence, Sendable {
  /// A frame with its objects, or the error of the frame.
  public typealias Element = Result<TrackedFrame, FoveaError>
  /// Results end without an error.
  public typealias Failure = Never

  let outlet: FrameOutlet

  /// Returns an iterator that continues with the next result.
  public func makeAsyncIterator() -> Iterator { Iterator(outlet: outlet) }

  /// Iterates over the results.
  public struct Iterator: AsyncIteratorProtocol {
    let outlet: FrameOutlet

    /// Waits for the next result and returns it.
    /// - Returns: The result; nil after the session has ended, or if the task is cancelled.
    public mutating func next() async -> Element? { await outlet.channel.take() }

    /// Waits for the next result and returns it, on the caller's actor.
    public mutating func next(isolation actor: isolated (any Actor)?) async -> Element? {
      await outlet.channel.take()
    }
  }
}

/// The output side of a session, kept by the session and by its readers.
final class FrameOutlet: Sendable {
  let channel: RendezvousChannel<Result<TrackedFrame, FoveaError>>
  /// The task that processes the frames.
  let work: Task<Void, Never>

  init(channel: RendezvousChannel<Result<TrackedFrame, FoveaError>>, work: Task<Void, Never>) {
    self.channel = channel
    self.work = work
  }

  // Frames can no longer be submitted, and results no longer read.
  deinit {
    channel.finish()
    work.cancel()
  }
}
