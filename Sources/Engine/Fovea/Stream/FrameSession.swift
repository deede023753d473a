// SPDX-License-Identifier: Apache-2.0

public import FoveaImage
import FoveaTracking

/// Follows objects in live frames: of a camera, a screen, a stream.
///
/// Frames may come faster than they can be processed. The newest one wins: `submit` never waits, and a frame that a newer
/// one replaces before its turn is dropped and counted. A frame and its result leave together.
///
///     let session = try FrameSession(detector: detector)
///     camera.onFrame = { frame in session.submit(frame) }
///     for await result in session.results {
///       if case .success(let frame) = result { show(frame.image, frame.objects) }
///     }
///
/// The next frame is processed when the result of the one before has been taken, so that one task should read the results
/// as they come. The session ends with `finish`, or when nothing refers to it any more: the frame that waits is still
/// processed, then the results end.
public final class FrameSession: Sendable {
  /// How a session works.
  public struct Options: Sendable, Hashable {
    /// How objects are followed; ML Kit's stream mode by default: at most five, identities from 0 at once, a memory of one
    /// second.
    public var tracking = ObjectTracker.Options.stream()
    /// Whether the detector works in the background; false by default.
    ///
    /// Then every frame has its result as soon as the objects are followed in it, and the detector processes the newest
    /// frame whenever it is free. What it finds is carried to the frame that is shown by then. `tracking.detectEvery` plays
    /// no part. Without it each frame waits for the detector.
    public var detectsInBackground = false

    /// The defaults.
    public init() {}

    func check() throws(FoveaError) {
      guard !detectsInBackground || tracking.tracker.kind == .fovea else {
        throw .optionInvalid(
          "'detectsInBackground' is on, and the tracker '\(tracking.tracker.kind.rawValue)' needs detections on every frame",
          remedy: "Use the tracker 'fovea', or let each frame wait for the detector")
      }
    }
  }

  /// Frames with their objects, in the order of the frames; a failure is about one frame, and the next ones follow.
  public var results: FrameResults { FrameResults(outlet: outlet) }

  let newest = NewestFrame()
  let outlet: FrameOutlet

  /// Begins a session.
  /// - Parameters:
  ///   - detector: Finds the objects; a low threshold (0.1) keeps half-hidden objects alive, see `ObjectTracker`.
  ///   - frameRate: Frames a second; nil takes 30. In stream mode the memory goes by the frames' times alone.
  ///   - options: How the session works.
  /// - Throws: `option-invalid` or `invalid-parameter` for an option out of its range.
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

  // No one can give a frame any more; whoever reads gets the results that are left.
  deinit { newest.finish() }

  /// Gives a frame; returns at once, from any thread.
  ///
  /// Frames have rising numbers and times; one whose number is not above that of the frame before counts as the next one. A
  /// frame of another size or orientation begins again. A frame that comes after `finish` is ignored.
  public func submit(_ frame: VideoFrame) { newest.put(frame) }

  /// Ends the session: the frame that waits is still processed, then the results end.
  public func finish() { newest.finish() }

  /// How many frames were given and dropped so far.
  public var counts: FrameCounts { newest.counts }
}

/// What a session does with each frame.
struct FrameLoop: Sendable {
  let newest: NewestFrame
  let channel: RendezvousChannel<Result<TrackedFrame, FoveaError>>

  /// Works until no more frames come, or no one wants results any more.
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
