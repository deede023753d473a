// SPDX-License-Identifier: Apache-2.0

/// The progress of a reader.
public struct VideoProgress: Sendable, Hashable {
  /// The reason why there are no more frames.
  public enum End: Sendable, Hashable {
    /// The video was read to its end.
    case complete
    /// The file ends before the video does, or the rest cannot be read.
    case truncated
    /// `VideoReader.Options.frameLimit` was reached.
    case frameLimit
    /// `VideoReader.cancel()` was called.
    case cancelled
    /// A stream or device was lost; the thrown error states the reason.
    case lost
  }

  /// The number of frames returned.
  public var frames = 0
  /// The number of frames that could not be decoded and were skipped; they leave a gap in the frame numbers.
  public var skipped = 0
  /// The number of damaged frames that were returned with concealed parts.
  public var damaged = 0
  /// The number of timestamps that were replaced because they were missing or not increasing.
  public var repairedTimes = 0
  /// The number of size changes in mid-stream.
  public var sizeChanges = 0
  /// The number of times that a stream was reconnected.
  public var reconnections = 0
  /// The reason why there are no more frames; nil while there may be some.
  public var end: End?
  /// Warnings for the user, each a sentence without its full stop.
  public var warnings: [String] = []

  /// Creates an empty progress.
  package init() {}
}
