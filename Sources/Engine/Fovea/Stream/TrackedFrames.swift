// SPDX-License-Identifier: Apache-2.0

import FoveaImage

/// Every frame of a source with its objects, in order: what `ObjectDetector.track(_:options:)` returns.
///
/// Frames are taken as they are asked for, one ahead: the next one is decoded while the detector processes this one. An
/// iterator opens the source for itself; dropped in the middle, it closes it.
public struct TrackedFrames: AsyncSequence, Sendable {
  /// A frame with its objects.
  public typealias Element = TrackedFrame
  /// Why there are no more frames although the source has not ended.
  public typealias Failure = FoveaError

  let source: any FrameSource
  let detector: FrameDetector
  let options: ObjectTracker.Options

  /// Opens the source when the first frame is asked for.
  public func makeAsyncIterator() -> Iterator {
    Iterator(source: source, detector: detector, options: options)
  }

  /// Goes through the frames.
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

    /// What is known of the source by now.
    public var state: SourceState { ahead?.state ?? SourceState() }

    /// Gives the next frame with its objects.
    /// - Returns: The frame; nil after the last one, and when the task is cancelled.
    /// - Throws: `video-…` where the source fails, `option-invalid`, and what the detector throws.
    public mutating func next() async throws(FoveaError) -> TrackedFrame? {
      try await next(isolation: #isolation)
    }

    /// Gives the next frame with its objects, on the caller's actor.
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
        // The detector that was interrupted says no more than that the task was cancelled.
        if error.code == .cancelled, Task.isCancelled { return nil }
        throw error
      }
    }

    /// The tracker, taken out, so that its memory has one owner while it works; a new one for the first frame.
    private mutating func takeTracker(_ state: SourceState) throws(FoveaError) -> ObjectTracker {
      if let tracker = self.tracker {
        self.tracker = nil
        return tracker
      }
      // A source that says nonsense of its rate does not know it.
      let rate = state.frameRate.flatMap { $0 >= 0.001 && $0 <= 10_000 ? $0 : nil }
      return try ObjectTracker(detector, frameRate: rate, options: options)
    }
  }
}

extension ObjectDetector {
  /// Follows the objects through the frames of a source.
  ///
  ///     for try await frame in detector.track(VideoFile("walk.mp4")) {
  ///       for object in frame.objects { print(frame.number, object.trackingID ?? -1, object.box) }
  ///     }
  /// - Parameters:
  ///   - source: Where the frames come from; `VideoFile` and others are in `FoveaVideo`.
  ///   - options: How objects are followed.
  /// - Returns: Every frame with its objects.
  public func track(
    _ source: some FrameSource, options: ObjectTracker.Options = ObjectTracker.Options()
  ) -> TrackedFrames {
    TrackedFrames(source: source, detector: FrameDetector(self), options: options)
  }
}
