// SPDX-License-Identifier: Apache-2.0

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
