// SPDX-License-Identifier: Apache-2.0

/// Boxes that move by two pixels per frame.
package enum WalkingBox {
  /// Returns a `det.txt` of one object, in the given frames.
  package static func text(_ frames: some Sequence<Int>, score: Double = 0.9) -> String {
    frames.map { "\($0),-1,\(10 + 2 * $0),10,20,30,\(score)\n" }.joined()
  }
}
