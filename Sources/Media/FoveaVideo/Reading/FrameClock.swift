// SPDX-License-Identifier: Apache-2.0

/// Computes the time of each frame since the first: strictly increasing, exact if the source's timestamps
/// are.
struct FrameClock {
  /// A step back of at least this many seconds means that the source restarted its timestamps.
  static let newBeginning = 1.0

  /// The seconds between two frames, used for missing timestamps.
  let step: Double
  /// The time of the last frame; nil before the first.
  private(set) var last: Double?
  /// The number of timestamps that were missing or not increasing.
  private(set) var repaired = 0
  private var offset: Double?

  /// The source's timestamp of the first frame; nil before that frame, or if the source has no timestamps.
  var start: Double? { offset.map { -$0 } }

  /// Creates a clock before the first frame.
  /// - Parameter frameRate: The frames per second for missing timestamps; 25 if it is not known.
  init(frameRate: Double?) {
    step = 1 / (frameRate.flatMap { $0.isFinite && $0 > 0 ? $0 : nil } ?? 25)
  }

  /// Returns the time of the next frame.
  /// - Parameter time: The source's timestamp in seconds, from any start; nil if it has none.
  /// - Returns: The seconds since the first frame.
  mutating func seconds(_ time: Double?) -> Double {
    let result = next(time.flatMap { $0.isFinite ? $0 : nil })
    last = result
    return result
  }

  private mutating func next(_ time: Double?) -> Double {
    guard let last else {
      offset = time.map { -$0 }
      return 0
    }
    guard let time else {
      repaired += 1
      return last + step
    }
    guard let offset else {
      self.offset = last + step - time
      return last + step
    }
    let result = time + offset
    if result > last { return result }
    repaired += 1
    // After a short step back, later frames keep their timestamps.
    if last - result < Self.newBeginning { return last + min(step, 1) / 1000 }
    self.offset = last + step - time
    return last + step
  }

  /// Sets the next frame's time to this many seconds after the last, because the source was reconnected.
  mutating func restart(after seconds: Double) {
    guard let last else { return }
    offset = nil
    self.last = last + max(seconds - step, 0)
  }

  /// Whether a frame with this timestamp was already returned.
  func isPast(_ time: Double) -> Bool {
    guard let last, let offset else { return false }
    return time + offset <= last + step / 1000
  }
}
