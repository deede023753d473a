// SPDX-License-Identifier: Apache-2.0

import FoveaGeometry

/// OC-SORT's state of one object.
struct OCSORTRecord: Sendable {
  var motion: AreaMotion
  var identity: Int
  var streak = 0
  var unseen = 0
  var isMatched = false
  /// The age in frames.
  var age = 0
  /// The last observed box; `history` has the boxes of the last `directionSpan` frames, oldest first.
  var lastBox: BoundingBox
  private var history: [(age: Int, box: BoundingBox)] = []
  /// The direction of motion, of length 1; nil before the second box.
  private(set) var direction: SIMD2<Double>?
  /// The state of the filter in the first frame without the object.
  private var beforeLoss: AreaMotion?

  init(_ box: BoundingBox, identity: Int) {
    motion = AreaMotion(box)
    lastBox = box
    self.identity = identity
    history = [(0, box)]
  }

  mutating func predict() {
    motion.predict()
    age += 1
    if unseen > 0 { streak = 0 }
    unseen += 1
    isMatched = false
  }

  /// Returns the box from which the direction to a new box is measured: the first one observed in the last
  /// `span` frames, or the last observed box if there is none.
  func reference(span: Int) -> BoundingBox {
    history.first { $0.age >= age - span }?.box ?? lastBox
  }

  /// Updates the object with a box.
  mutating func correct(_ box: BoundingBox, span: Int) {
    direction = Self.direction(from: reference(span: span), to: box)
    if let beforeLoss {
      recover(from: beforeLoss, to: box)
    } else {
      motion.correct(box)
    }
    beforeLoss = nil
    lastBox = box
    unseen = 0
    streak += 1
    isMatched = true
    history.removeAll { $0.age <= age - span }
    history.append((age, box))
  }

  /// Records that the object was not seen.
  mutating func miss() {
    if beforeLoss == nil { beforeLoss = motion }
  }

  /// Reruns the filter over the frames without the object (observation-centric re-update), along a straight
  /// line from the previous box to the new one; the last step is the new box.
  ///
  /// **Source:** Cao et al., "Observation-Centric SORT", 2023, section 4.1.
  private mutating func recover(from start: AreaMotion, to box: BoundingBox) {
    motion = start
    let gap = Double(unseen)
    for step in 1...max(unseen, 1) {
      let part = Double(step) / gap
      let width = lastBox.width + (box.width - lastBox.width) * part
      let height = lastBox.height + (box.height - lastBox.height) * part
      let midX = lastBox.midX + (box.midX - lastBox.midX) * part
      let midY = lastBox.midY + (box.midY - lastBox.midY) * part
      motion.correct(BoundingBox(x: midX - width / 2, y: midY - height / 2, width: width, height: height))
      if step < unseen { motion.predict() }
    }
  }

  /// Returns the direction between the centres of two boxes, of length 1.
  static func direction(from first: BoundingBox, to second: BoundingBox) -> SIMD2<Double> {
    let difference = SIMD2(second.midX - first.midX, second.midY - first.midY)
    // The small number prevents a division by 0 if both boxes have the same centre.
    return difference / ((difference * difference).sum().squareRoot() + 1e-6)
  }
}
