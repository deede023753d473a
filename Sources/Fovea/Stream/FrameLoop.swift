// SPDX-License-Identifier: Apache-2.0

import FoveaImage
import Synchronization

/// What a session does with each frame.
struct FrameLoop: Sendable {
  let newest: NewestFrame
  let handover: Handover<Result<TrackedFrame, FoveaError>>
  /// The detector that works in the background; nil where each frame waits for it.
  let detector: ObjectDetector?

  /// Works until no more frames come.
  func run(_ tracker: ObjectTracker) async {
    var tracker = tracker
    var look: BackgroundLook?
    while let frame = await newest.take() {
      let result: Result<TrackedFrame, FoveaError>
      if let detector {
        result = step(frame, &tracker, &look, detector)
      } else {
        do throws(FoveaError) { result = .success(try await tracker.track(frame)) } catch {
          result = .failure(error)
        }
      }
      await handover.give(result)
    }
    look?.cancel()
    handover.finish()
  }

  /// One frame with the detector in the background.
  private func step(
    _ frame: VideoFrame, _ tracker: inout ObjectTracker, _ look: inout BackgroundLook?,
    _ detector: ObjectDetector
  ) -> Result<TrackedFrame, FoveaError> {
    do throws(FoveaError) {
      let tracked: TrackedFrame
      if let outcome = look?.outcome {
        look = nil
        let found = try outcome.get()
        tracked = try tracker.catchUp(found, with: frame)
      } else {
        tracked = try tracker.follow(frame)
      }
      if look == nil {
        tracker.remember()
        look = BackgroundLook(at: frame, by: detector)
      }
      return .success(tracked)
    } catch {
      return .failure(error)
    }
  }
}

/// The detector's look at one frame, which goes on while others are shown.
final class BackgroundLook: Sendable {
  private let task: Task<Void, Never>
  private let found: Box

  private final class Box: Sendable {
    let outcome = Mutex<Result<DetectionResult, FoveaError>?>(nil)
  }

  /// Begins to look.
  init(at frame: VideoFrame, by detector: ObjectDetector) {
    let found = Box()
    self.found = found
    task = Task.detached {
      let outcome: Result<DetectionResult, FoveaError>
      do throws(FoveaError) {
        outcome = .success(try await detector.analyze(.pixels(frame.pixels)))
      } catch {
        outcome = .failure(error)
      }
      found.outcome.withLock { $0 = outcome }
    }
  }

  /// What came out of it; nil while it goes on.
  var outcome: Result<DetectionResult, FoveaError>? { found.outcome.withLock { $0 } }

  /// Gives up.
  func cancel() { task.cancel() }
}
