// SPDX-License-Identifier: Apache-2.0

public import FoveaGeometry
public import FoveaImage

/// The properties that a video declares before its first frame.
public struct VideoInfo: Sendable, Hashable {
  /// The decoder that is used.
  public enum Decoding: Sendable, Hashable {
    /// The processor, as requested.
    case software
    /// The processor, although hardware was requested; the reason is a sentence without its full stop.
    case softwareInstead(reason: String)
    /// The graphics card, through VA-API.
    case hardware
  }

  /// The stored width and height, in pixels; later frames may have another size.
  public var size: PixelSize
  /// The rotation that makes the frames upright, from the container's display matrix.
  public var orientation: Orientation
  /// The average number of frames per second; nil if it is not known.
  public var frameRate: Double?
  /// The duration in seconds; nil for live streams, or if the container does not declare it.
  public var duration: Double?
  /// The number of frames that the container declares, excluding those its edit list skips; nil for none.
  public var frameCount: Int?
  /// The aspect ratio of the stored pixels; square if it is not declared.
  public var pixelAspect = PixelAspect.square
  /// The number of tracks with sound.
  package var soundTracks = 0
  /// Whether the file contains more than frames and sound: subtitles, chapters, data, cover images.
  package var hasMore = false
  /// Whether the video has an end: true for files, including those from a server.
  public var isFinite: Bool
  /// FFmpeg's name of the container: "mov,mp4,m4a,3gp,3g2,mj2".
  public var container: String
  /// FFmpeg's name of the codec: "h264".
  public var codec: String
  /// FFmpeg's name of the pixel format as decoded: "yuv420p".
  package var pixelFormat: String
  /// The decoder that is used.
  public var decoding: Decoding

  /// The width and height of the upright frames, in pixels.
  public var uprightSize: PixelSize { orientation.uprightSize(ofStored: size) }
}
