// SPDX-License-Identifier: Apache-2.0

import Fovea
import FoveaCore
import FoveaFormats
import FoveaVideo

/// Resolves the source argument of `fovea track`.
enum FrameSources {
  /// Returns the source of an argument: a folder, or a `VideoSource`.
  ///
  /// `frameRate` is the user's; it applies to a folder and a camera.
  static func source(_ argument: String, frameRate: Double?) throws(FoveaError) -> any FrameSource {
    if FileStatus(FilePath(argument: argument))?.kind == .folder {
      return ImageFolder(argument, frameRate: frameRate ?? 30)
    }
    var options = VideoReader.Options()
    options.cameraFrameRate = frameRate
    return VideoStream(VideoSource(argument), options: options)
  }

  /// Returns the images of a folder by frame number; nil for a source that is not a folder.
  static func imagePaths(of source: any FrameSource) throws(FoveaError) -> [String]? {
    guard let folder = source as? ImageFolder else { return nil }
    let paths: [String]
    do throws(VideoError) {
      paths = try FrameFolder(path: folder.path, frameRate: folder.frameRate).paths
    } catch {
      throw FoveaError(error)
    }
    // "." does not identify a folder.
    guard [nil, ".."].contains(PathEnds.parts(folder.path).last),
      let full = try? FilePath.resolved(folder.path)
    else { return paths }
    return paths.map { FilePath.joined(full, FilePath($0).lastComponent) }
  }
}
