// SPDX-License-Identifier: Apache-2.0

public import FoveaImage

extension VideoWriter {
  /// The options for writing a video.
  public struct Options: Sendable, Hashable {
    /// The codec; nil, the default, selects it by the extension of the name.
    ///
    /// That is VP9 for WebM, Motion JPEG for AVI, and H.264 otherwise.
    public var codec: VideoCodec?
    /// The quality, 1…100; 70 by default.
    ///
    /// Higher values make larger files with fewer artefacts.
    ///
    /// It sets a constant quality:
    ///
    /// | quality | H.264 (CRF) | VP9 (CRF) | Motion JPEG (q) |
    /// |---|---|---|---|
    /// | 100 | 14 | 20 | 2 |
    /// | 70 | 23 | 32 | 9 |
    /// | 1 | 44 | 60 | 24 |
    public var quality = 70
    /// The frames per second that the container declares, 0.001…1000; nil declares 25.
    ///
    /// Each frame keeps its own time, except in AVI, which rounds it to a whole number of frames.
    public var frameRate: Double?
    /// The number of encoding threads, 1…64; 1 by default, which uses the least processor time.
    public var threads = 1
    /// Whether to write an MP4 or MOV in fragments, which play even if the program is killed; false by
    /// default.
    ///
    /// Such files play in browsers and in players based on FFmpeg, but some programs do not show their
    /// duration or cannot seek. Other MP4 and MOV files play only after `finish`; MKV and WebM always play.
    public var isFragmented = false
    /// The aspect ratio of the upright frames' pixels, as players show them; square by default.
    public var pixelAspect = PixelAspect.square
    /// The file whose sound and subtitles are copied; nil, the default, copies none.
    ///
    /// Tracks are copied without conversion. Tracks that the container does not support, chapters, data and
    /// cover images are left out, which `VideoWriter.notes` reports.
    public var sound: SoundTrack?

    /// Creates the default options.
    public init() {}

    func check(name: String) throws(VideoError) {
      func require(_ isRight: Bool, _ message: String) throws(VideoError) {
        guard !isRight else { return }
        throw VideoError(.optionInvalid, message, remedy: "Give a value within the range", subject: name)
      }
      try require((1...100).contains(quality), "quality is \(quality), 1…100 expected")
      try require((1...64).contains(threads), "threads is \(threads), 1…64 expected")
      if let frameRate {
        try require(frameRate >= 0.001 && frameRate <= 1000, "frameRate is \(frameRate), 0.001…1000 expected")
      }
    }
  }

  /// The summary of a written video.
  public struct Summary: Sendable, Hashable {
    /// The number of frames.
    public var frames: Int
    /// FFmpeg's name of the encoder: "libx264".
    public var encoder: String
    /// The number of frames that were scaled to the size of the first one.
    public var scaledFrames: Int
  }
}
