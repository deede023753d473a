// SPDX-License-Identifier: Apache-2.0

public import FoveaGeometry

extension VideoReader {
  /// The use of the graphics card for decoding.
  public enum Hardware: Sendable, Hashable, CaseIterable {
    /// The processor decodes.
    case off
    /// VA-API if it works, else the processor; `VideoInfo.decoding` has the reason.
    case automatic
    /// VA-API; opening fails if it does not work.
    case required
  }

  /// The options for reading a video.
  public struct Options: Sendable, Hashable {
    /// The number of decoding threads, 1…64; 1 by default, which uses the least processor time.
    ///
    /// More threads shorten the time per frame, but delay the first frames.
    public var threads = 1
    /// The use of the graphics card for decoding; `automatic` by default.
    public var hardware = Hardware.automatic
    /// The maximum number of pixels of a frame; 67,108,864 (8192 × 8192) by default.
    ///
    /// A damaged or hostile file may declare any size.
    public var maximumPixels = 8192 * 8192
    /// The maximum number of frames to return; nil, the default, returns all.
    ///
    /// Skipped frames do not count.
    public var frameLimit: Int?
    /// The timeout for opening a stream or camera; 15 s by default, zero waits forever.
    ///
    /// It does not apply to files.
    public var openTimeout = Duration.seconds(15)
    /// The time without data after which a stream or camera is lost; 10 s by default, zero waits forever.
    public var readTimeout = Duration.seconds(10)
    /// The number of attempts to reconnect a lost stream before reading fails, 0…1,000,000; 5 by default.
    ///
    /// Each new frame resets the count.
    public var reconnectAttempts = 5
    /// The delay before the first attempt, 0.5 s by default; twice as long before each further attempt.
    public var reconnectDelay = Duration.milliseconds(500)
    /// The maximum delay before an attempt; 30 s by default.
    public var reconnectDelayLimit = Duration.seconds(30)
    /// The frame size to set on a camera, in pixels; nil leaves it unchanged.
    public var cameraSize: PixelSize?
    /// The frames per second to set on a camera; nil leaves it unchanged.
    public var cameraFrameRate: Double?

    /// Creates the default options.
    public init() {}

    /// Refuses values out of range.
    func check(name: String) throws(VideoError) {
      func require(_ isRight: Bool, _ message: String) throws(VideoError) {
        guard !isRight else { return }
        throw VideoError(.optionInvalid, message, remedy: "Give a value within the range", subject: name)
      }
      try require((1...64).contains(threads), "threads is \(threads), 1…64 expected")
      try require(maximumPixels > 0, "maximumPixels is \(maximumPixels), 1 or more expected")
      try require((frameLimit ?? 1) > 0, "frameLimit is \(frameLimit ?? 0), 1 or more expected")
      try require(
        (0...1_000_000).contains(reconnectAttempts),
        "reconnectAttempts is \(reconnectAttempts), 0…1000000 expected")
      for (property, value) in [
        ("openTimeout", openTimeout), ("readTimeout", readTimeout), ("reconnectDelay", reconnectDelay),
        ("reconnectDelayLimit", reconnectDelayLimit),
      ] {
        try require(value >= .zero, "\(property) is \(value), 0 or more expected")
      }
      if let size = cameraSize {
        try require(
          (1...65_535).contains(size.width) && (1...65_535).contains(size.height),
          "cameraSize is \(size), 1…65535 each way expected")
      }
      if let rate = cameraFrameRate {
        try require(
          rate > 0 && rate <= 10_000, "cameraFrameRate is \(rate), above 0 and at most 10000 expected")
      }
    }
  }
}
