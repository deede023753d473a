// SPDX-License-Identifier: Apache-2.0

public import Foundation
import FoveaCore
public import FoveaImage
import FoveaVideo

/// What gives frames to a session: a camera, or any `FrameSource` by a `FrameSourceInput`.
public class AVCaptureInput: NSObject, @unchecked Sendable {
  // SAFETY: everything is set in init and never changed.
  /// When frames are handed on.
  let pacing: FramePacing

  fileprivate init(pacing: FramePacing) { self.pacing = pacing }

  /// What is opened when a session starts.
  func source(for preset: AVCaptureSession.Preset) -> any FrameSource { FrameArray([]) }
}

/// When the frames of a source are handed on.
public enum FramePacing: Sendable, Hashable {
  /// At their times, counted from the start of the session: a file looks like a camera.
  case realTime
  /// As soon as they are read: for cameras, which have their own pace, and for files that are to be done quickly.
  case asFastAsPossible
}

/// A camera as a session takes it.
public final class AVCaptureDeviceInput: AVCaptureInput, @unchecked Sendable {
  // SAFETY: everything is set in init and never changed.
  /// The camera.
  public let device: AVCaptureDevice

  /// Takes a camera; it is opened when the session starts.
  /// - Parameter device: The camera.
  /// - Throws: `FoveaError` with `video-not-found` or `video-unreadable`, where its file is gone or may not be read.
  public init(device: AVCaptureDevice) throws {
    let path = device.uniqueID
    guard FileManager.default.fileExists(atPath: path) else {
      throw FoveaError(
        FoveaCode(VideoCode.notFound), "there is no camera of this name",
        remedy: "Connect the camera, or take one of AVCaptureDevice.DiscoverySession", subject: path)
    }
    guard FileManager.default.isReadableFile(atPath: path) else {
      throw FoveaError(
        FoveaCode(VideoCode.unreadable), "the camera may not be read",
        remedy: "Add the user to the group 'video', or change the permissions of the file", subject: path)
    }
    self.device = device
    super.init(pacing: .asFastAsPossible)
  }

  override func source(for preset: AVCaptureSession.Preset) -> any FrameSource {
    var options = VideoReader.Options()
    options.cameraSize = preset.size
    let duration = device.activeVideoMinFrameDuration
    if duration > .zero, duration.isNumeric { options.cameraFrameRate = 1 / duration.seconds }
    return VideoStream(.camera(device.uniqueID), options: options)
  }
}

/// Any source of frames as a session takes it: a video file, a folder of images, a stream, an array; an addition to
/// AVFoundation.
///
///     session.addInput(FrameSourceInput(VideoFile("walk.mp4")))
public final class FrameSourceInput: AVCaptureInput, @unchecked Sendable {
  // SAFETY: everything is set in init and never changed.
  private let frames: any FrameSource

  /// Takes a source; it is opened when the session starts, again each time.
  /// - Parameters:
  ///   - source: Where the frames come from.
  ///   - pacing: When they are handed on; `realTime` by default. Streams have their own pace: give `asFastAsPossible`.
  public init(_ source: any FrameSource, pacing: FramePacing = .realTime) {
    frames = source
    super.init(pacing: pacing)
  }

  override func source(for preset: AVCaptureSession.Preset) -> any FrameSource { frames }
}
