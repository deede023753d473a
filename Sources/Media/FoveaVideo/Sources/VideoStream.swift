// SPDX-License-Identifier: Apache-2.0

public import FoveaCore
public import FoveaImage

/// The frames of any video source, for `ObjectDetector.track(_:options:)` and `FrameSession`: a network
/// stream, a camera, standard input or a file.
public struct VideoStream: FrameSource {
  /// The source of the video.
  public let source: VideoSource
  /// The options for reading.
  public var options: VideoReader.Options

  /// Creates a source without opening it.
  /// - Parameters:
  ///   - source: The source of the video; `VideoSource("rtsp://camera/1")` parses user input.
  ///   - options: The options for reading: timeouts, reconnection, hardware.
  public init(_ source: VideoSource, options: VideoReader.Options = VideoReader.Options()) {
    self.source = source
    self.options = options
  }

  /// The name in messages, without the password of a URL.
  public var name: String { source.name }

  /// Opens the source and waits until it is ready.
  /// - Throws: The codes of `VideoError`, as `video-…`.
  public func open() throws(FoveaError) -> any FrameReader {
    do throws(VideoError) { return VideoFrameReader(try VideoReader(source, options: options)) } catch {
      throw FoveaError(error)
    }
  }
}

/// The adapter of a video reader for streams.
private struct VideoFrameReader: FrameReader {
  let reader: VideoReader

  init(_ reader: VideoReader) { self.reader = reader }

  func next() throws(FoveaError) -> VideoFrame? {
    do throws(VideoError) { return try reader.next() } catch { throw FoveaError(error) }
  }

  func cancel() { reader.cancel() }

  var state: SourceState {
    let progress = reader.progress
    var state = SourceState()
    state.frameRate = reader.info.frameRate
    state.expectedFrames = reader.expectedFrames
    state.skippedFrames = progress.skipped
    state.warnings = progress.warnings
    state.pixelAspect = reader.info.pixelAspect
    state.hasSound = reader.info.soundTracks > 0
    state.sound = reader.sound
    return state
  }
}

extension VideoReader {
  /// The number of frames, declared or from the container's duration and rate, up to the limit.
  fileprivate var expectedFrames: Int? {
    if let count = info.frameCount { return min(count, options.frameLimit ?? count) }
    guard let duration = info.duration, let rate = info.frameRate else { return options.frameLimit }
    let count = (duration * rate).rounded()
    guard count >= 1, count < 1e9 else { return options.frameLimit }
    return min(Int(count), options.frameLimit ?? .max)
  }
}
