// SPDX-License-Identifier: Apache-2.0

/// Gives the frames of a stream numbers and times that rise, whatever the buffers say.
struct StreamClock: Sendable {
  private var number = 0
  private var seconds = 0.0

  /// The step between two frames where it is unknown: 30 frames per second.
  private static let step = 1.0 / 30

  /// The number and the time of the next frame.
  /// - Parameter stamp: What its buffer says, in seconds; ignored where it is missing, not a number, or not later than the
  ///   frame before.
  /// - Returns: Both are larger than those of the frame before.
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
