// SPDX-License-Identifier: Apache-2.0

public import FoveaImage

/// Follows objects in live frames: of a camera, a screen, a stream.
///
/// Frames may come faster than they can be looked at. The newest one wins: `submit` never waits, and a frame that a newer
/// one replaces before its turn is dropped and counted. A frame and its result leave together.
///
///     let session = try FrameSession(detector: detector)
///     camera.onFrame = { frame in session.submit(frame) }
///     for await result in session.results {
///       if case .success(let frame) = result { show(frame.image, frame.objects) }
///     }
///
/// One task reads the results. The session works until `finish` is called or nothing refers to it any more.
public final class FrameSession: Sendable {
  /// How a session works.
  public struct Options: Sendable, Hashable {
    /// How objects are followed; ML Kit's stream mode by default: at most five, identities from 0 at once, a memory of one
    /// second.
    public var tracking = ObjectTracker.Options.stream()
    /// Whether the detector works in the background; false by default.
    ///
    /// Then every frame has its result as soon as the objects are followed in it, and the detector looks at the newest
    /// frame whenever it is free. What it finds is carried to the frame that is shown by then. `tracking.detectEvery` plays
    /// no part. Without it each frame waits for the detector.
    public var detectsInBackground = false

    /// The defaults.
    public init() {}
  }

  /// Frames with their objects, in the order of the frames; a failure is about one frame, and the next ones follow.
  public var results: FrameResults { FrameResults(session: self) }

  private let newest = NewestFrame()
  fileprivate let handover = Handover<Result<TrackedFrame, FoveaError>>()
  private let pump: Task<Void, Never>

  /// Begins a session.
  /// - Parameters:
  ///   - detector: Finds the objects; a low threshold (0.1) keeps half-hidden objects alive, see `ObjectTracker`.
  ///   - frameRate: Frames a second; nil takes 30. In stream mode the memory goes by the frames' times alone.
  ///   - options: How the session works.
  /// - Throws: `option-invalid` for an option out of its range.
  public init(
    detector: ObjectDetector, frameRate: Double? = nil, options: Options = Options()
  ) throws(FoveaError) {
    let tracker = try ObjectTracker(detector: detector, frameRate: frameRate, options: options.tracking)
    let loop = FrameLoop(
      newest: newest, handover: handover, detector: options.detectsInBackground ? detector : nil)
    pump = Task.detached { await loop.run(tracker) }
  }

  deinit {
    newest.finish()
    handover.finish()
    pump.cancel()
  }

  /// Gives a frame; returns at once, from any thread.
  ///
  /// Frames have rising numbers and times. A frame that comes after `finish` is ignored.
  public func submit(_ frame: VideoFrame) { newest.put(frame) }

  /// Ends the session: the frame that waits is still looked at, then the results end.
  public func finish() { newest.finish() }

  /// How many frames were given and dropped so far.
  public var counts: FrameCounts { newest.counts }
}

/// The results of a session, for one task at a time.
public struct FrameResults: AsyncSequence, Sendable {
  /// A frame with its objects, or why it has none.
  public typealias Element = Result<TrackedFrame, FoveaError>
  /// Results end without an error.
  public typealias Failure = Never

  // The session would end with its last reference while somebody waits for its results.
  let session: FrameSession

  /// Goes on with the next result.
  public func makeAsyncIterator() -> Iterator { Iterator(session: session) }

  /// Goes through the results.
  public struct Iterator: AsyncIteratorProtocol {
    let session: FrameSession

    /// Gives the next result, and waits for it.
    /// - Returns: The result; nil after the session has ended.
    public mutating func next() async -> Element? { await session.handover.take() }

    /// Gives the next result, on the caller's actor.
    public mutating func next(isolation actor: isolated (any Actor)?) async -> Element? {
      await session.handover.take()
    }
  }
}
