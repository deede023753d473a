// SPDX-License-Identifier: Apache-2.0

import Fovea
import FoveaSystem
import FoveaVideo

/// Understands what people name as a source of frames.
enum FrameSources {
  /// The source that an argument means: a folder, or whatever `VideoSource` takes it for.
  ///
  /// `frameRate` is what the user says; it is for a folder and a camera.
  static func source(_ argument: String, frameRate: Double?) throws(FoveaError) -> any FrameSource {
    if FileStatus(FilePath(argument: argument))?.kind == .folder {
      return PictureFolder(argument, frameRate: frameRate ?? 30)
    }
    var options = VideoReader.Options()
    options.cameraFrameRate = frameRate
    return VideoStream(VideoSource(argument), options: options)
  }
}
