// SPDX-License-Identifier: Apache-2.0

package import FoveaGeometry
package import FoveaTracking

/// The tracker that was chosen: Fovea's own, which can also be moved with the picture, or one of the others.
package enum IdentityTracker: Sendable {
  case fovea(FoveaTracker)
  case other(any MultiObjectTracker)

  package init(
    _ options: ObjectTracker.Options, frameRate: Double?
  ) throws(FoveaError) {
    var configuration = options.configuration
    if let frameRate { configuration.frameRate = frameRate }
    do throws(TrackingError) {
      self =
        options.kind == .fovea
        ? .fovea(try FoveaTracker(configuration: configuration))
        : .other(
          try options.kind.makeTracker(
            frameRate: configuration.frameRate, json: options.otherParameters.map { Array($0.utf8) }))
    } catch {
      throw FoveaError(error)
    }
  }

  /// What is known now; nothing of the others, which do not tell.
  package var tracks: [Track] {
    if case .fovea(let tracker) = self { tracker.tracks } else { [] }
  }

  package mutating func update(
    _ detections: [TrackingDetection], at time: FrameTime, cameraMotion: CameraMotion?
  ) -> [TrackedDetection] {
    switch self {
    case .fovea(var tracker):
      // Taken out, so that the tracker's memory has one owner while it works.
      self = .other(EmptyTracker())
      defer { self = .fovea(tracker) }
      return tracker.update(detections, at: time, cameraMotion: cameraMotion)
    case .other(var tracker):
      self = .other(EmptyTracker())
      defer { self = .other(tracker) }
      return tracker.update(detections, at: time, cameraMotion: cameraMotion)
    }
  }

  package mutating func move(_ boxes: [MovedBox], at time: FrameTime, cameraMotion: CameraMotion?) {
    guard case .fovea(var tracker) = self else { return }
    self = .other(EmptyTracker())
    tracker.move(boxes, at: time, cameraMotion: cameraMotion)
    self = .fovea(tracker)
  }

  package mutating func reset() {
    switch self {
    case .fovea(var tracker):
      tracker.reset()
      self = .fovea(tracker)
    case .other(var tracker):
      tracker.reset()
      self = .other(tracker)
    }
  }

  /// What stands in while the tracker works.
  private struct EmptyTracker: MultiObjectTracker {
    mutating func update(
      _ detections: [TrackingDetection], at time: FrameTime, cameraMotion: CameraMotion?
    ) -> [TrackedDetection] { [] }
    mutating func reset() {}
  }
}
