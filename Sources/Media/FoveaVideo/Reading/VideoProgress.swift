// SPDX-License-Identifier: Apache-2.0

/// What a reader has met so far.
public struct VideoProgress: Sendable, Hashable {
  /// Why there are no further frames.
  public enum End: Sendable, Hashable {
    /// The video was read to its end.
    case complete
    /// The file ends before the video does, or its rest cannot be read.
    case truncated
    /// `VideoReader.Options.frameLimit` was reached.
    case frameLimit
    /// `VideoReader.cancel()` was called.
    case cancelled
    /// A stream or device was lost; the error that was thrown says why.
    case lost
  }

  /// Frames that were given.
  public var frames = 0
  /// Frames that could not be decoded and were left out; they leave a gap in the numbers.
  public var skipped = 0
  /// Frames that were returned although parts of them are made up.
  public var damaged = 0
  /// Times that were missing or did not rise, and were replaced.
  public var repairedTimes = 0
  /// How often the size changed in mid-stream.
  public var sizeChanges = 0
  /// How often a stream was connected again.
  public var reconnections = 0
  /// Why there are no further frames; nil while there may be.
  public var end: End?
  /// What the user should know, a sentence each without the final stop.
  public var warnings: [String] = []

  /// Nothing met yet.
  public init() {}
}
