// SPDX-License-Identifier: Apache-2.0

public import FoveaCore
package import FoveaGeometry

/// A source of frames: a video file, a folder of images, a camera, a stream, or frames made by a program.
///
/// `FoveaVideo` has the sources of this package; a custom source implements two methods.
public protocol FrameSource: Sendable {
  /// The source's name in messages: a path or a URL.
  var name: String { get }

  /// Opens the source.
  /// - Returns: A reader that starts at the first frame.
  /// - Throws: An error if the source cannot be opened; `video-…` codes for the sources of this package.
  func open() throws(FoveaError) -> any FrameReader
}

/// Reads the frames of a source one at a time.
///
/// One owner at a time calls `next`, which may block; `cancel` may be called from any thread.
public protocol FrameReader: Sendable {
  /// Returns the next frame.
  /// - Returns: The frame; nil after the last one.
  /// - Throws: An error if the next frame cannot be read although the source has not ended.
  func next() throws(FoveaError) -> VideoFrame?

  /// Cancels a blocked call to `next` and all later calls, which return nil.
  func cancel()

  /// The current state of the source; may be read at any time.
  var state: SourceState { get }
}

extension FrameReader {
  /// An empty state.
  public var state: SourceState { SourceState() }
}

/// The state of a source, as known to its reader.
public struct SourceState: Sendable, Hashable {
  /// Frames per second, on average; nil if unknown.
  public var frameRate: Double?
  /// The number of frames that the source declares; nil for live sources or if unknown.
  public var expectedFrames: Int?
  /// The number of frames that were skipped because they could not be decoded.
  public var skippedFrames = 0
  /// Warnings for the user, without a full stop at the end: a truncated file, a fallback, a new connection.
  public var warnings: [String] = []
  /// The aspect ratio of the pixels in the stored frames; square if unknown.
  public var pixelAspect = PixelAspect.square
  /// Whether the source has sound.
  public var hasSound = false
  /// The sound and subtitles, if they can be read next to the frames: of a file, after its first frame.
  public var sound: SoundTrack?

  /// Creates an empty state.
  public init() {}
}

/// One image of a video, a camera or a stream.
public struct VideoFrame: Sendable {
  /// The pixels; YUV as decoded, with the video's rotation as `orientation`.
  public var pixels: PixelBuffer
  /// The number of the frame, from 1; frames that were dropped or could not be decoded leave a gap.
  public var number: Int
  /// The presentation time, in seconds from the first frame.
  public var seconds: Double

  /// Creates a frame.
  public init(pixels: PixelBuffer, number: Int, seconds: Double) {
    self.pixels = pixels
    self.number = number
    self.seconds = seconds
  }
}

/// The ratio of a pixel's width to its height: 1 to 1 except for some videos (DV, DVD, anamorphic film).
///
/// Detectors and boxes ignore it; players stretch the image accordingly.
public struct PixelAspect: Sendable, Hashable {
  /// The width, 1 or more.
  public let width: Int
  /// The height, 1 or more.
  public let height: Int

  /// Square pixels.
  public static let square = PixelAspect(width: 1, height: 1)

  /// Creates a ratio; if one value is below 1, both become 1.
  public init(width: Int, height: Int) {
    let isUsable = width > 0 && height > 0
    self.width = isUsable ? width : 1
    self.height = isUsable ? height : 1
  }

  /// Returns the ratio of the upright image.
  package func upright(_ orientation: Orientation) -> PixelAspect {
    orientation.isTransposed ? PixelAspect(width: height, height: width) : self
  }
}

/// The sound and the subtitles of a video file, for copying next to written frames.
public struct SoundTrack: Sendable, Hashable {
  /// The path of the file.
  public var path: String
  /// The time in the file's timeline that is 0 for the frames, in seconds.
  public var start: Double

  /// Creates a reference to the sound of a file.
  public init(path: String, start: Double = 0) {
    self.path = path
    self.start = start
  }
}
