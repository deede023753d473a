// SPDX-License-Identifier: Apache-2.0

import Fovea
import FoveaCore
import FoveaImage
import Synchronization

/// What a `fovea_tracker` points to.
final class TrackerHandle {
  private let process = OwnProcess()
  private let isInUse = Atomic(false)
  private var tracker: ObjectTracker
  private var frameNumber = 0
  /// Whether boxes may move with the image: frames are needed then.
  let followsImages: Bool

  init(_ options: ObjectTracker.Options, frameRate: Double?) throws(FoveaError) {
    tracker = try ObjectTracker(frameRate: frameRate, options: options)
    followsImages = options.detectEvery > 1
  }

  /// Takes the next frame with what was found in it; nil moves what was there.
  func update(
    _ pixels: PixelBuffer, objects: [DetectedObject]?, seconds: Double
  ) throws(FoveaError) -> TrackedFrame {
    try alone { () throws(FoveaError) in
      let frame = VideoFrame(pixels: pixels, number: frameNumber + 1, seconds: seconds)
      let tracked =
        if let objects { try tracker.track(frame, objects: objects) } else { try tracker.follow(frame) }
      frameNumber += 1
      return tracked
    }
  }

  /// Forgets every object.
  func reset() throws(FoveaError) {
    try alone { () throws(FoveaError) in
      tracker.reset()
      frameNumber = 0
    }
  }

  /// Calls `body` unless another thread is inside, in the process that opened the tracker.
  func alone<R>(_ body: () throws(FoveaError) -> R) throws(FoveaError) -> R {
    try process.check("tracker")
    guard !isInUse.exchange(true, ordering: .acquiring) else {
      throw FoveaError(
        .busy, "Another thread is using the tracker", remedy: "Give each tracker one owner")
    }
    defer { isInUse.store(false, ordering: .releasing) }
    return try body()
  }
}
