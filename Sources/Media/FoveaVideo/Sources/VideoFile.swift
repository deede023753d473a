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
  /// The options for reading.
  public var options: VideoReader.Options

  /// Creates a source without opening the file.
  /// - Parameters:
  ///   - path: The file, with any name.
  ///   - options: The options for reading.
  public init(_ path: String, options: VideoReader.Options = VideoReader.Options()) {
    self.path = path
    self.options = options
  }

  /// The name in messages: the path.
  public var name: String { path }

  /// Opens the file.
  /// - Throws: The codes of `VideoError`, as `video-…`.
  public func open() throws(FoveaError) -> any FrameReader {
    try VideoStream(.file(path), options: options).open()
  }
}
