// SPDX-License-Identifier: Apache-2.0

package import FoveaGeometry

/// The foot point of an object, which is still once it has stayed at its place for long enough.
package struct StillFoot: Sendable {
  /// The distance from its place, as a fraction of the square root of the box's area.
  private static let tolerance = 0.05

  /// True if it has stayed for long enough.
  package private(set) var isStill = false
  private var place: PixelPoint
  private var since: Double
  /// The time until it is still, in seconds.
  private let time: Double

  /// Creates the foot of a box.
  /// - Parameters:
  ///   - box: The box, in pixels of the frame.
  ///   - time: The present time in seconds.
  ///   - stillAfter: The time until it is still, in seconds.
  package init(_ box: BoundingBox, at time: Double, stillAfter: Double) {
    place = BoxAnchor.bottomCenter.point(of: box)
    since = time
    self.time = stillAfter
  }

  /// Moves its place to a box without a change of state.
  mutating func rest(at box: BoundingBox) { place = BoxAnchor.bottomCenter.point(of: box) }

  /// Moves to the box of the next frame.
  /// - Returns: True if `isStill` has changed.
  @discardableResult
  package mutating func move(to box: BoundingBox, at time: Double) -> Bool {
    let foot = BoxAnchor.bottomCenter.point(of: box)
    guard (foot - place).length <= Self.tolerance * box.area.squareRoot() else {
      (place, since) = (foot, time)
      defer { isStill = false }
      return isStill
    }
    guard !isStill, time - since >= self.time - ObjectEvents.rounding else { return false }
    isStill = true
    return true
  }
}
