// SPDX-License-Identifier: Apache-2.0

public import FoveaImage

extension VideoWriter {
  /// How a video is written.
  public struct Options: Sendable, Hashable {
    /// How it is compressed; nil, the default, takes what is usual for the ending of the name.
    ///
    /// That is H.264, VP9 for WebM and Motion JPEG for AVI.
    public var codec: VideoCodec?
    /// 1…100, 70 by default: raising it makes larger files with fewer artefacts.
    ///
    /// It stands for a constant quality:
    ///
    /// | quality | H.264 (CRF) | VP9 (CRF) | Motion JPEG (q) |
    /// |---|---|---|---|
    /// | 100 | 14 | 20 | 2 |
    /// | 70 | 23 | 32 | 9 |
    /// | 1 | 44 | 60 | 24 |
    public var quality = 70
    /// Frames a second as the container announces them, 0.001…1000; nil says 25.
    ///
    /// Each frame keeps its own time
    /// anyway, but in AVI, where a frame's time is rounded to a whole number of frames.
    public var frameRate: Double?
    /// The threads that encode, 1…64; 1 by default, which costs the least time of the processor.
    public var threads = 1
    /// Whether an MP4 or MOV is written in pieces that can be played even if the program is killed; false by default.
    ///
    /// Such files play in browsers and in players based on FFmpeg, while some programs do not show their duration or
    /// cannot jump in them. Without it `finish` must be called for the file to be playable. MKV and WebM can always be
    /// played.
    public var isFragmented = false
    /// How wide the pixels of the upright frames are next to their height, as players show them; square by default.
    public var pixelAspect = PixelAspect.square
    /// The file whose sound and subtitles to copy next to the frames; nil, the default, writes none.
    ///
    /// Its tracks are copied as they are. What the container cannot hold, chapters, data and cover images are left out, and
    /// `VideoWriter.notes` says so.
    public var sound: SoundTrack?

    /// The defaults.
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

  /// What was written.
  public struct Summary: Sendable, Hashable {
    /// The number of frames.
    public var frames: Int
    /// FFmpeg's name of the encoder: "libx264".
    public var encoder: String
    /// Frames whose size was another than the first one's, and which were scaled to it.
    public var scaledFrames: Int
  }
}
