// SPDX-License-Identifier: Apache-2.0

import Fovea
import FoveaCore
import FoveaGeometry
import FoveaImage

/// The object behind a `fovea_tracker`.
final class TrackerHandle {
  let use = SoleUse(of: "tracker")
  private var tracker: ObjectTracker
  private var frameNumber = 0
  /// Whether boxes are moved with the image between detections, which requires frames.
  let followsImages: Bool

  init(_ options: ObjectTracker.Options, frameRate: Double?) throws(FoveaError) {
    tracker = try ObjectTracker(frameRate: frameRate, options: options)
    followsImages = options.detectEvery > 1
  }

  /// Processes the next frame and its detections.
  /// - Parameters:
  ///   - image: The frame; nil uses the size that the detections declare.
  ///   - found: The detections; nil moves the tracked objects with the image.
  ///   - seconds: The time of the frame.
  /// - Returns: The objects that have an identity.
  /// - Throws: The errors of the frame and the detections; `busy` if another thread uses the tracker.
  func update(
    _ image: ImageArgument?, _ found: DetectionColumns?, seconds: Double
  ) throws(FoveaError) -> ResultObject {
    do {
      guard let image else { return try update(found, seconds: seconds) }
      return try image.withPixels { pixels in
        if let size = found?.size, size != pixels.size {
          throw FoveaError.argument(
            "the frame is \(pixels.size) pixels, but the detections are for an image of \(size)")
        }
        let objects = try found?.objects()
        return try next(pixels.size, pixels.orientation) { (number) throws(FoveaError) in
          let frame = VideoFrame(pixels: pixels, number: number, seconds: seconds)
          guard let objects else { return try tracker.follow(frame).objects }
          return try tracker.track(frame, objects: objects).objects
        }
      }
    } catch {
      throw FoveaError(error)
    }
  }

  private func update(_ found: DetectionColumns?, seconds: Double) throws -> ResultObject {
    guard let found, let size = found.size else {
      throw FoveaError.argument("'widths' or 'heights' of detections is NULL, and there is no frame")
    }
    // Throws for an impossible image size.
    _ = try PixelLayout(.grey, size: size)
    let orientation = try found.orientation()
    let objects = try found.objects()
    return try next(size, orientation) { (number) throws(FoveaError) in
      try tracker.track(objects, size: size, orientation: orientation, number: number, seconds: seconds)
    }
  }

  /// Calls `body` with the number of the next frame; the number is used again if `body` fails.
  private func next(
    _ size: PixelSize, _ orientation: Orientation, _ body: (Int) throws(FoveaError) -> [DetectedObject]
  ) throws(FoveaError) -> ResultObject {
    try use.alone { () throws(FoveaError) in
      let clock = ContinuousClock()
      let start = clock.now
      let objects = try body(frameNumber + 1)
      frameNumber += 1
      var timings = StageTimings()
      timings.total = clock.now - start
      var columns = ResultColumns(.objects)
      columns.add(objects, size: size, orientation: orientation, timings: timings)
      columns.finish()
      return ResultObject(columns)
    }
  }

  /// Removes all objects.
  func reset() throws(FoveaError) {
    try use.alone { () throws(FoveaError) in
      tracker.reset()
      frameNumber = 0
    }
  }
}
