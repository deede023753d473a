// SPDX-License-Identifier: Apache-2.0

public import FoveaImage
import FoveaTracking

/// Tracks objects in live frames: from a camera, a screen, a stream.
///
/// Frames may arrive faster than they can be processed. The newest one wins: `submit` never waits, and a
/// frame that is replaced before its turn is dropped and counted. A frame and its result are delivered
/// together.
///
///     let session = try FrameSession(detector: detector)
///     camera.onFrame = { frame in session.submit(frame) }
///     for await result in session.results {
///       if case .success(let frame) = result { show(frame.image, frame.objects) }
///     }
///
/// The next frame is processed once the previous result has been read, so one task should read the results as
/// they come. The session ends with `finish`, or when nothing refers to it any more: a waiting frame is still
/// processed, then the results end.
public final class FrameSession: Sendable {
  /// The options of a session.
  public struct Options: Sendable, Hashable {
    /// The options of tracking; ML Kit's stream mode by default: at most five objects, identities from 0
    /// without delay, a memory of one second.
    public var tracking = ObjectTracker.Options.stream()
    /// Whether the detector works in the background; false by default.
    ///
    /// If true, every frame has its result as soon as its objects are tracked, and the detector processes the
    /// newest frame whenever it is free. Its objects are moved to the frame that is current by then.
    /// `tracking.detectEvery` has no effect. If false, each frame waits for the detector.
    public var detectsInBackground = false

    /// Creates the default options.
    public init() {}

    func check() throws(FoveaError) {
      guard !detectsInBackground || tracking.tracker.kind == .fovea else {
        throw .optionInvalid(
          "'detectsInBackground' is on, and the tracker '\(tracking.tracker.kind.rawValue)' needs detections"
            + " on every frame",
          remedy: "Use the tracker 'fovea', or turn 'detectsInBackground' off")
      }
    }
  }

  /// The frames with their objects, in the order of the frames; a failure affects only one frame.
  public var results: FrameResults { FrameResults(outlet: outlet) }

  let newest = NewestFrame()
  let outlet: FrameOutlet

  /// Starts a session.
  /// - Parameters:
  ///   - detector: The detector; a low threshold (0.1) keeps half-hidden objects alive, see `ObjectTracker`.
  ///   - frameRate: Frames per second; nil uses 30. In stream mode the memory depends only on the frames'
  ///     times.
  ///   - options: The options of the session.
  /// - Throws: `option-invalid` or `invalid-parameter` for an option out of range.
  public convenience init(
    detector: ObjectDetector, frameRate: Double? = nil, options: Options = Options()
  ) throws(FoveaError) {
    try self.init(FrameDetector(detector), frameRate: frameRate, options: options)
  }

  init(_ detector: FrameDetector, frameRate: Double? = nil, options: Options = Options()) throws(FoveaError) {
    let stepper = try FrameStepper(detector, frameRate: frameRate, options: options)
    let channel = RendezvousChannel<Result<TrackedFrame, FoveaError>>()
    let loop = FrameLoop(newest: newest, channel: channel)
    outlet = FrameOutlet(channel: channel, work: Task.detached { await loop.run(stepper) })
  }

  // Frames can no longer be submitted; readers get the remaining results.
  deinit { newest.finish() }

  /// Submits a frame; returns immediately, on any thread.
  ///
  /// Numbers and times must increase; a frame whose number is not greater than the previous one is treated as
  /// the next. A different size or orientation restarts the tracking. A frame after `finish` is ignored.
  public func submit(_ frame: VideoFrame) { newest.put(frame) }

  /// Finishes the session: a waiting frame is still processed, then the results end.
  public func finish() { newest.finish() }

  /// The numbers of submitted and dropped frames so far.
  public var counts: FrameCounts { newest.counts }
}

/// Processes the frames of a session.
struct FrameLoop: Sendable {
  let newest: NewestFrame
  let channel: RendezvousChannel<Result<TrackedFrame, FoveaError>>

  /// Runs until there are no more frames, or nothing reads the results any more.
  func run(_ stepper: FrameStepper) async {
    var stepper = stepper
    while let frame = await newest.take() {
      let result: Result<TrackedFrame, FoveaError>
      do throws(FoveaError) { result = .success(try await stepper.take(frame)) } catch {
        result = .failure(error.about(frame))
      }
      guard await channel.give(result) else { break }
    }
    channel.finish()
  }
}
