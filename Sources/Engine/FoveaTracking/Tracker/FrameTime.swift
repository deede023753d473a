// SPDX-License-Identifier: Apache-2.0

/// When a frame was taken.
public struct FrameTime: Sendable, Hashable {
  /// The number of the frame in its sequence; a number that is left out is a frame that was dropped.
  public var number: Int
  /// Seconds since any fixed moment; nil where only numbers are known.
  public var seconds: Double?

  /// Makes a time.
  public init(number: Int, seconds: Double? = nil) {
    self.number = number
    self.seconds = seconds
  }
}
