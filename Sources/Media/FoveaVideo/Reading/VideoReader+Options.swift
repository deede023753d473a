// SPDX-License-Identifier: Apache-2.0

public import FoveaGeometry

extension VideoReader {
  /// Whether the graphics card decodes.
  public enum Hardware: Sendable, Hashable, CaseIterable {
    /// The processor decodes.
    case off
    /// VA-API where it works, else the processor, and `VideoInfo.decoding` says why.
    case automatic
    /// VA-API; opening fails where it does not work.
    case required
  }

  /// How a video is read.
  public struct Options: Sendable, Hashable {
    /// The threads that decode, 1…64; 1 by default, which costs the least time of the processor.
    ///
    /// More of them shorten the wait for a frame and delay the first ones.
    public var threads = 1
    /// Whether the graphics card decodes; `automatic` by default.
    public var hardware = Hardware.automatic
    /// The most pixels of a frame, 67,108,864 (8192 × 8192) by default: a damaged or hostile file may claim any size.
    public var maximumPixels = 8192 * 8192
    /// The most frames to give; nil, the default, gives all.
    ///
    /// Frames that are skipped do not count.
    public var frameLimit: Int?
    /// How long opening a stream or camera may take, 15 s by default; zero waits for ever.
    ///
    /// Files have no limit.
    public var openTimeout = Duration.seconds(15)
    /// How long a stream or camera may be silent before it counts as lost, 10 s by default; zero waits for ever.
    public var readTimeout = Duration.seconds(10)
    /// How often a lost stream is connected again before reading fails, 0…1,000,000; 5 by default.
    ///
    /// Each new frame begins the count again.
    public var reconnectAttempts = 5
    /// The wait before the first attempt, 0.5 s by default; twice as long before each further one.
    public var reconnectDelay = Duration.milliseconds(500)
    /// The longest wait before an attempt, 30 s by default.
    public var reconnectDelayLimit = Duration.seconds(30)
    /// The size that a camera is set to; nil leaves it unchanged.
    public var cameraSize: PixelSize?
    /// The frames a second that a camera is set to; nil leaves it unchanged.
    public var cameraFrameRate: Double?

    /// The defaults.
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
