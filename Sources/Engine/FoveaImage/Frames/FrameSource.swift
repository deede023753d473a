// SPDX-License-Identifier: Apache-2.0

public import FoveaCore
public import FoveaGeometry

/// Where frames come from: a video file, a folder of images, a camera, a stream, or frames that a program
/// makes.
///
/// `FoveaVideo` has the sources of this package; a type of your own needs two methods.
public protocol FrameSource: Sendable {
  /// What messages call it: a path or an address.
  var name: String { get }

  /// Opens the source.
  /// - Returns: A reader that begins with the first frame.
  /// - Throws: Why it cannot be opened: `video-…` codes for the sources of this package.
  func open() throws(FoveaError) -> any FrameReader
}

/// Gives the frames of a source one after the other.
///
/// One owner at a time calls `next`, which may wait for as long as the source takes; `cancel` may be called
/// from any thread.
public protocol FrameReader: Sendable {
  /// Gives the next frame.
  /// - Returns: The frame; nil after the last one.
  /// - Throws: Why there is no next frame although the source has not ended.
  func next() throws(FoveaError) -> VideoFrame?

  /// Ends a call of `next` that waits, and all later ones: they give nil.
  func cancel()

  /// What is known of the source by now; may be asked at any time.
  var state: SourceState { get }
}

extension FrameReader {
  /// Nothing known.
  public var state: SourceState { SourceState() }
}

/// What a reader knows of its source.
public struct SourceState: Sendable, Hashable {
  /// Frames per second, on average; nil where it is not known.
  public var frameRate: Double?
  /// How many frames the source says it has; nil for live sources and where it is not known.
  public var expectedFrames: Int?
  /// Frames that could not be decoded so far and were left out.
  public var skippedFrames = 0
  /// What the user should know, a sentence each without the final stop: a truncated file, a fall-back, a new
  /// connection.
  public var warnings: [String] = []
  /// How wide the pixels of the stored frames are next to their height; square where it is not known.
  public var pixelAspect = PixelAspect.square
  /// Whether the source has sound.
  public var hasSound = false
  /// The sound and the subtitles, where they can be read next to the frames: those of a file, once its first
  /// frame was given.
  public var sound: SoundTrack?

  /// Nothing known.
  public init() {}
}

/// One image of a video, a camera or a stream.
public struct VideoFrame: Sendable {
  /// The pixels; YUV as the decoder gave them, `orientation` as the video's rotation says.
  public var pixels: PixelBuffer
  /// The number of the frame, from 1; frames that were dropped or could not be decoded leave a gap.
  public var number: Int
  /// When it is shown, in seconds from the first frame.
  public var seconds: Double

  /// Makes a frame.
  public init(pixels: PixelBuffer, number: Int, seconds: Double) {
    self.pixels = pixels
    self.number = number
    self.seconds = seconds
  }
}

/// How wide a pixel is next to its height when an image is shown: 1 to 1 but for some videos (DV, DVD,
/// anamorphic film).
///
/// Detectors and boxes know nothing of it; it says how a player stretches the image.
public struct PixelAspect: Sendable, Hashable {
  /// The width, 1 or more.
  public let width: Int
  /// The height, 1 or more.
  public let height: Int

  /// Square pixels.
  public static let square = PixelAspect(width: 1, height: 1)

  /// Makes a ratio; if one of them is below 1, both become 1.
  public init(width: Int, height: Int) {
    let isUsable = width > 0 && height > 0
    self.width = isUsable ? width : 1
    self.height = isUsable ? height : 1
  }

  /// The ratio of the upright image.
  public func upright(_ orientation: Orientation) -> PixelAspect {
    orientation.isTransposed ? PixelAspect(width: height, height: width) : self
  }
}

/// The sound and the subtitles of a video file, to be copied next to frames that are written.
public struct SoundTrack: Sendable, Hashable {
  /// The file.
  public var path: String
  /// The time in the file's own count that is 0 for the frames, in seconds.
  public var start: Double

  /// Names the sound of a file.
  public init(path: String, start: Double = 0) {
    self.path = path
    self.start = start
  }
}
