// SPDX-License-Identifier: Apache-2.0

import FoveaRuntime

/// Every frame of a source with its objects, in order: what `ObjectDetector.track(_:options:)` gives.
///
/// Frames are taken as they are asked for, one ahead: the next one is decoded while the detector looks at this one.
public struct TrackedFrames: AsyncSequence, Sendable {
  /// A frame with its objects.
  public typealias Element = TrackedFrame
  /// Why there are no more frames although the source has not ended.
  public typealias Failure = FoveaError

  let source: any FrameSource
  let detector: ObjectDetector
  let options: ObjectTracker.Options

  /// Opens the source when the first frame is asked for.
  public func makeAsyncIterator() -> Iterator {
    Iterator(source: source, detector: detector, options: options)
  }

  /// Goes through the frames.
  public struct Iterator: AsyncIteratorProtocol {
    private let source: any FrameSource
    private let detector: ObjectDetector
    private let options: ObjectTracker.Options
    private var ahead: FramesAhead?
    private var tracker: ObjectTracker?
    private var isFinished = false

    init(source: any FrameSource, detector: ObjectDetector, options: ObjectTracker.Options) {
      self.source = source
      self.detector = detector
      self.options = options
    }

    /// What is known of the source by now.
    public var state: SourceState { ahead?.reader.state ?? SourceState() }

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
      do throws(FoveaError) {
        if ahead == nil { ahead = try await FramesAhead(source) }
        guard let ahead, let frame = try await ahead.next() else {
          isFinished = true
          return nil
        }
        var tracker =
          if let tracker = self.tracker { tracker } else {
            try ObjectTracker(
              detector: detector, frameRate: ahead.reader.state.frameRate, options: options)
          }
        let tracked = try await tracker.track(frame)
        self.tracker = tracker
        return tracked
      } catch {
        isFinished = true
        throw error
      }
    }
  }
}

extension ObjectDetector {
  /// Follows the objects through the frames of a source.
  ///
  ///     for try await frame in detector.track(VideoFile("walk.mp4")) {
  ///       for object in frame.objects { print(frame.frame.number, object.trackID ?? -1, object.box) }
  ///     }
  /// - Parameters:
  ///   - source: Where the frames come from; `VideoFile` and others are in `FoveaVideo`.
  ///   - options: How objects are followed.
  /// - Returns: Every frame with its objects.
  public func track(
    _ source: some FrameSource, options: ObjectTracker.Options = ObjectTracker.Options()
  ) -> TrackedFrames {
    TrackedFrames(source: source, detector: self, options: options)
  }
}
