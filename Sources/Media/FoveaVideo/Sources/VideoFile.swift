// SPDX-License-Identifier: Apache-2.0

public import FoveaCore
public import FoveaImage

/// The frames of a video file, for `ObjectDetector.track(_:options:)`.
///
///     for try await frame in detector.track(VideoFile("walk.mp4")) {
///       print(frame.seconds, frame.objects.count)
///     }
public struct VideoFile: FrameSource {
  /// The path of the file.
  public let path: String
  /// How it is read.
  public var options: VideoReader.Options

  /// Names a file; nothing is opened yet.
  /// - Parameters:
  ///   - path: The file, whatever its name looks like.
  ///   - options: How it is read.
  public init(_ path: String, options: VideoReader.Options = VideoReader.Options()) {
    self.path = path
    self.options = options
  }

  /// What messages call it: its path.
  public var name: String { path }

  /// Opens the file.
  /// - Throws: `video-…`: `VideoError`'s codes.
  public func open() throws(FoveaError) -> any FrameReader {
    try VideoStream(.file(path), options: options).open()
  }
}
