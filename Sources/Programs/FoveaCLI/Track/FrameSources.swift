// SPDX-License-Identifier: Apache-2.0

import Fovea
import FoveaCore
import FoveaFormats
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

  /// The images that are the frames of a source, by their numbers; nil for a source that is no folder.
  static func imagePaths(of source: any FrameSource) throws(FoveaError) -> [String]? {
    guard let folder = source as? PictureFolder else { return nil }
    let paths: [String]
    do throws(VideoError) {
      paths = try FrameFolder(path: folder.path, frameRate: folder.frameRate).paths
    } catch {
      throw FoveaError(error)
    }
    // A "." does not say which folder it is.
    guard [nil, ".."].contains(PathEnds.parts(folder.path).last),
      let full = try? FilePath.resolved(folder.path)
    else { return paths }
    return paths.map { FilePath.joined(full, FilePath($0).lastComponent) }
  }
}
