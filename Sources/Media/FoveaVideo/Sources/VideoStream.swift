// SPDX-License-Identifier: Apache-2.0

public import FoveaCore
public import FoveaImage

/// The frames of any video source, for `ObjectDetector.track(_:options:)` and `FrameSession`: a network stream, a camera,
/// standard input or a file.
public struct VideoStream: FrameSource {
  /// Where the video comes from.
  public let source: VideoSource
  /// How it is read.
  public var options: VideoReader.Options

  /// Names a source; nothing is opened yet.
  /// - Parameters:
  ///   - source: Where the video comes from; `VideoSource("rtsp://camera/1")` understands what people type.
  ///   - options: How it is read: time limits, new connections, hardware.
  public init(_ source: VideoSource, options: VideoReader.Options = VideoReader.Options()) {
    self.source = source
    self.options = options
  }

  /// What messages call it; a password in an address is left out.
  public var name: String { source.name }

  /// Opens the source, and waits for it.
  /// - Throws: `video-…`: `VideoError`'s codes.
  public func open() throws(FoveaError) -> any FrameReader {
    do throws(VideoError) { return VideoFrameReader(try VideoReader(source, options: options)) } catch {
      throw FoveaError(error)
    }
  }
}

/// A video reader as streams take it.
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
  /// How many frames the container announces, or its duration and rate come to.
  fileprivate var expectedFrames: Int? {
    if let count = info.frameCount { return min(count, options.frameLimit ?? count) }
    guard let duration = info.duration, let rate = info.frameRate else { return options.frameLimit }
    let count = (duration * rate).rounded()
    guard count >= 1, count < 1e9 else { return options.frameLimit }
    return min(Int(count), options.frameLimit ?? .max)
  }
}
