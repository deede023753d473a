// SPDX-License-Identifier: Apache-2.0

/// Assigns increasing numbers and times to the frames of a stream, whatever timestamps the buffers have.
struct BufferClock: Sendable {
  private var number = 0
  private var seconds = 0.0

  /// The step between two frames if the time is unknown: 30 frames per second.
  private static let step = 1.0 / 30

  /// Returns the number and the time of the next frame.
  /// - Parameter stamp: The buffer's timestamp in seconds; ignored if it is missing, not a number, or not
  ///   later than the previous frame's.
  /// - Returns: Both are larger than those of the previous frame.
  mutating func next(_ stamp: Double?) -> (number: Int, seconds: Double) {
    number += 1
    if let stamp, stamp.isFinite, stamp > seconds || number == 1 {
      seconds = stamp
    } else {
      seconds += Self.step
    }
    return (number, seconds)
  }
}
