// SPDX-License-Identifier: Apache-2.0

public import FoveaGeometry
public import FoveaImage

/// How a video describes itself before its first frame.
public struct VideoInfo: Sendable, Hashable {
  /// Who decodes.
  public enum Decoding: Sendable, Hashable {
    /// The processor, as it was asked for.
    case software
    /// The processor, although hardware was wished for: the reason as one sentence without a final stop.
    case softwareInstead(reason: String)
    /// The graphics card, through VA-API.
    case hardware
  }

  /// Width and height as stored, in pixels; a later frame may have another size.
  public var size: PixelSize
  /// How the frames must be rotated to be upright: the container's display matrix.
  public var orientation: Orientation
  /// Frames a second on average; nil where no one says.
  public var frameRate: Double?
  /// The duration in seconds; nil for live streams and where the container does not say.
  public var duration: Double?
  /// The number of frames that the container announces, without those that its edit list leaves out; nil where it does not.
  public var frameCount: Int?
  /// How wide the pixels of the stored frames are next to their height; square where no one says.
  public var pixelAspect = PixelAspect.square
  /// The number of tracks with sound.
  public var soundTracks = 0
  /// Whether there is more than frames and sound: subtitles, chapters, data, cover images.
  package var hasMore = false
  /// Whether the video has an end: a file, also one that a server sends.
  public var isFinite: Bool
  /// FFmpeg's name of the container: "mov,mp4,m4a,3gp,3g2,mj2".
  public var container: String
  /// FFmpeg's name of the codec: "h264".
  public var codec: String
  /// FFmpeg's name of the pixel format as decoded: "yuv420p".
  public var pixelFormat: String
  /// Who decodes.
  public var decoding: Decoding

  /// Width and height of the upright frames.
  public var uprightSize: PixelSize { orientation.uprightSize(ofStored: size) }
}
