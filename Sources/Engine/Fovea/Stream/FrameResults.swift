// SPDX-License-Identifier: Apache-2.0

/// The results of a session, for one task.
///
/// They can be kept without the session: once nothing refers to that, no frame can come any more, and the results end. A
/// task that is cancelled gets no more. Where two tasks read, each result goes to one of them.
public struct FrameResults: AsyncSequence, Sendable {
  /// A frame with its objects, or why it has none.
  public typealias Element = Result<TrackedFrame, FoveaError>
  /// Results end without an error.
  public typealias Failure = Never

  let outlet: FrameOutlet

  /// Goes on with the next result.
  public func makeAsyncIterator() -> Iterator { Iterator(outlet: outlet) }

  /// Goes through the results.
  public struct Iterator: AsyncIteratorProtocol {
    let outlet: FrameOutlet

    /// Gives the next result, and waits for it.
    /// - Returns: The result; nil after the session has ended, and when the task is cancelled.
    public mutating func next() async -> Element? { await outlet.channel.take() }

    /// Gives the next result, on the caller's actor.
    public mutating func next(isolation actor: isolated (any Actor)?) async -> Element? {
      await outlet.channel.take()
    }
  }
}

/// The end of a session at which results come out; kept by the session and by its readers.
final class FrameOutlet: Sendable {
  let channel: RendezvousChannel<Result<TrackedFrame, FoveaError>>
  /// The work on the frames.
  let work: Task<Void, Never>

  init(channel: RendezvousChannel<Result<TrackedFrame, FoveaError>>, work: Task<Void, Never>) {
    self.channel = channel
    self.work = work
  }

  // No one can give a frame or read a result any more.
  deinit {
    channel.finish()
    work.cancel()
  }
}
