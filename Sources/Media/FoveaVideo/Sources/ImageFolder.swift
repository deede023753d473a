// SPDX-License-Identifier: Apache-2.0

public import FoveaCore
public import FoveaImage

/// The images of a folder as the frames of a video, for `ObjectDetector.track(_:options:)`.
public struct ImageFolder: FrameSource {
  /// The path of the folder.
  public let path: String
  /// The number of frames per second.
  public var frameRate: Double

  /// Creates a source without opening the folder.
  /// - Parameters:
  ///   - path: The folder, whose images are read in natural order.
  ///   - frameRate: The number of frames per second, above 0 and at most 10,000; 30 by default.
  public init(_ path: String, frameRate: Double = 30) {
    self.path = path
    self.frameRate = frameRate
  }

  /// The name in messages: the path.
  public var name: String { path }

  /// Lists the folder.
  /// - Throws: The codes of `VideoError`, as `video-…`.
  public func open() throws(FoveaError) -> any FrameReader {
    do throws(VideoError) {
      return FolderFrameReader(folder: try FrameFolder(path: path, frameRate: frameRate))
    } catch {
      throw FoveaError(error)
    }
  }
}

/// The adapter of a folder for streams.
private struct FolderFrameReader: FrameReader {
  let folder: FrameFolder

  func next() throws(FoveaError) -> VideoFrame? { folder.next() }

  func cancel() { folder.cancel() }

  var state: SourceState {
    let progress = folder.progress
    var state = SourceState()
    state.frameRate = folder.frameRate
    state.expectedFrames = folder.paths.count
    state.skippedFrames = progress.skipped
    state.warnings = progress.warnings
    return state
  }
}

/// The former name of ``ImageFolder``.
@available(*, deprecated, renamed: "ImageFolder")
public typealias PictureFolder = ImageFolder
