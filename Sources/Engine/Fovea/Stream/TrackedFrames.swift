// SPDX-License-Identifier: Apache-2.0

import FoveaImage

/// Every frame of a source with its objects, in order: the result of `ObjectDetector.track(_:options:)`.
///
/// Frames are read on demand, one ahead: the next one is decoded while the detector processes this one. Each
/// iterator opens the source for itself, and closes it when it is released early.
public struct TrackedFrames: AsyncSequence, Sendable {
  /// A frame with its objects.
  public typealias Element = TrackedFrame
  /// The error that ends the frames before the end of the source.
  public typealias Failure = FoveaError

  let source: any FrameSource
  let detector: FrameDetector
  let options: ObjectTracker.Options

  /// Returns an iterator, which opens the source when the first frame is requested.
  public func makeAsyncIterator() -> Iterator {
    Iterator(source: source, detector: detector, options: options)
  }

  /// Iterates over the frames.
  public struct Iterator: AsyncIteratorProtocol {
    private let source: any FrameSource
    private let detector: FrameDetector
    private let options: ObjectTracker.Options
    private var ahead: FramesAhead?
    private var tracker: ObjectTracker?
    private var isFinished = false

    init(source: any FrameSource, detector: FrameDetector, options: ObjectTracker.Options) {
      self.source = source
      self.detector = detector
      self.options = options
    }

    /// The state of the source so far.
    public var state: SourceState { ahead?.state ?? SourceState() }

    /// Returns the next frame with its objects.
    /// - Returns: The frame; nil after the last one, or if the task is cancelled.
    /// - Throws: `video-…` if the source fails, `option-invalid`, and the detector's errors.
    public mutating func next() async throws(FoveaError) -> TrackedFrame? {
      try await next(isolation: #isolation)
    }

    /// Returns the next frame with its objects, on the caller's actor.
    public mutating func next(
      isolation actor: isolated (any Actor)?
    ) async throws(FoveaError) -> TrackedFrame? {
      guard !isFinished else { return nil }
      let ahead = self.ahead ?? FramesAhead(source)
      self.ahead = ahead
      do throws(FoveaError) {
        guard let frame = try await ahead.next() else {
          isFinished = true
          return nil
        }
        var tracker = try takeTracker(ahead.state)
        let tracked = try await tracker.track(frame)
        self.tracker = tracker
        return tracked
      } catch {
        isFinished = true
        ahead.cancel()
        // The error of an interrupted detector contains nothing but the cancellation.
        if error.code == .cancelled, Task.isCancelled { return nil }
        throw error
      }
    }

    /// Moves the tracker out, so that its memory has a single owner while it works; creates it for the first
    /// frame.
    private mutating func takeTracker(_ state: SourceState) throws(FoveaError) -> ObjectTracker {
      if let tracker = self.tracker {
        self.tracker = nil
        return tracker
      }
      // A source that reports an implausible rate does not know it.
      let rate = state.frameRate.flatMap { $0 >= 0.001 && $0 <= 10_000 ? $0 : nil }
      return try ObjectTracker(detector, frameRate: rate, options: options)
    }
  }
}

extension ObjectDetector {
  /// Tracks the objects through the frames of a source.
  ///
  ///     for try await frame in detector.track(VideoFile("walk.mp4")) {
  ///       for object in frame.objects { print(frame.number, object.trackingID ?? -1, object.box) }
  ///     }
  /// - Parameters:
  ///   - source: The source of the frames; `VideoFile` and others are in `FoveaVideo`.
  ///   - options: The options of tracking.
  /// - Returns: Every frame with its objects.
  public func track(
    _ source: some FrameSource, options: ObjectTracker.Options = ObjectTracker.Options()
  ) -> TrackedFrames {
    TrackedFrames(source: source, detector: FrameDetector(self), options: options)
  }
}
