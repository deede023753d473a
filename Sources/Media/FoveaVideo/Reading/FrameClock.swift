// SPDX-License-Identifier: Apache-2.0

/// Gives each frame its time from the first one: strictly rising, and exact wherever the source's own times are.
struct FrameClock {
  /// A step back of this many seconds or more is a new beginning of the source's counting, not a disturbance.
  static let newBeginning = 1.0

  /// The seconds between two frames, where a time is missing.
  let step: Double
  /// The time of the last frame; nil before the first.
  private(set) var last: Double?
  /// Times that were missing or did not rise.
  private(set) var repaired = 0
  private var offset: Double?

  /// The source's own time that is 0 here; nil before the first frame, and where the source says nothing.
  var start: Double? { offset.map { -$0 } }

  /// Starts before the first frame.
  /// - Parameter frameRate: Frames a second; where it is not known, 25 are taken for missing times.
  init(frameRate: Double?) {
    step = 1 / (frameRate.flatMap { $0.isFinite && $0 > 0 ? $0 : nil } ?? 25)
  }

  /// The time of the next frame.
  /// - Parameter time: What the source says, in seconds from anywhere; nil where it says nothing.
  /// - Returns: Seconds from the first frame.
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
    // The frames after a short disturbance keep their times.
    if last - result < Self.newBeginning { return last + min(step, 1) / 1000 }
    self.offset = last + step - time
    return last + step
  }

  /// Lets the next frame come this many seconds after the last one, whatever the source says: it was connected again.
  mutating func restart(after seconds: Double) {
    guard let last else { return }
    offset = nil
    self.last = last + max(seconds - step, 0)
  }

  /// Whether a frame with this time was given already.
  func isPast(_ time: Double) -> Bool {
    guard let last, let offset else { return false }
    return time + offset <= last + step / 1000
  }
}
