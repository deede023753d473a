// SPDX-License-Identifier: Apache-2.0

public import Foundation
import FoveaCore
public import FoveaImage
import FoveaVideo

/// An input of a session: a camera, or any `FrameSource` in a `FrameSourceInput`.
public class AVCaptureInput: NSObject, @unchecked Sendable {
  // SAFETY: everything is set in init and never changed.
  /// The pacing of frames.
  let pacing: FramePacing

  fileprivate init(pacing: FramePacing) { self.pacing = pacing }

  /// Returns the source that is opened when a session starts.
  func source(for preset: AVCaptureSession.Preset) -> any FrameSource { FrameArray([]) }
}

/// The pace at which the frames of a source are delivered.
public enum FramePacing: Sendable, Hashable {
  /// At their times, counted from the start of the session, so that a file behaves like a camera.
  case realTime
  /// As soon as they are read: for cameras, which have their own pace, and for fast processing of files.
  case asFastAsPossible
}

/// A camera as the input of a session.
public final class AVCaptureDeviceInput: AVCaptureInput, @unchecked Sendable {
  // SAFETY: everything is set in init and never changed.
  /// The camera.
  public let device: AVCaptureDevice

  /// Creates an input from a camera, which is opened when the session starts.
  /// - Parameter device: The camera.
  /// - Throws: `FoveaError` with `video-not-found` or `video-unreadable`, if its file is missing or cannot be
  ///   read.
  public init(device: AVCaptureDevice) throws {
    let path = device.uniqueID
    guard FileManager.default.fileExists(atPath: path) else {
      throw FoveaError(
        FoveaCode(VideoCode.notFound), "there is no camera of this name",
        remedy: "Connect the camera, or use one of AVCaptureDevice.DiscoverySession", subject: path)
    }
    guard FileManager.default.isReadableFile(atPath: path) else {
      throw FoveaError(
        FoveaCode(VideoCode.unreadable), "no permission to read the camera",
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

/// Any source of frames as the input of a session: a video file, a folder of images, a stream, an array; an
/// addition to AVFoundation.
///
///     session.addInput(FrameSourceInput(VideoFile("walk.mp4")))
public final class FrameSourceInput: AVCaptureInput, @unchecked Sendable {
  // SAFETY: everything is set in init and never changed.
  private let frames: any FrameSource

  /// Creates an input from a source, which is opened each time the session starts.
  /// - Parameters:
  ///   - source: The source of the frames.
  ///   - pacing: The pacing of frames; `realTime` by default. Use `asFastAsPossible` for streams, which have
  ///     their own pace.
  public init(_ source: any FrameSource, pacing: FramePacing = .realTime) {
    frames = source
    super.init(pacing: pacing)
  }

  override func source(for preset: AVCaptureSession.Preset) -> any FrameSource { frames }
}
