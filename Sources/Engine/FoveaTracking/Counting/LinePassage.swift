// SPDX-License-Identifier: Apache-2.0

/// What is known of one object's way over a line.
struct LinePassage {
  /// A point as the line sees it.
  struct Place {
    /// How far along the line: 0 at its start, 1 at its end.
    var along: Double
    /// The distance from the line in pixels: positive on its right, negative on its left.
    var beside: Double
  }

  /// Where the object was last.
  private var last: Place?
  /// The sign of the last distance that was not 0: the side where it is, however near.
  private var nearSide = 0.0
  /// The side that it was last seen on, farther away than the tolerance; 0 before the first time.
  private var firmSide = 0.0
  /// Where along the line it last changed `nearSide`.
  private var changedAt = 0.0

  /// Moves the object.
  /// - Parameters:
  ///   - place: Where it is now.
  ///   - tolerance: How far from the line it must be to be surely on that side, in pixels, 0 or more.
  /// - Returns: The crossing that this completes, if it does.
  mutating func move(to place: Place, tolerance: Double) -> LineCrossing.Direction? {
    let side = place.beside > 0 ? 1.0 : place.beside < 0 ? -1.0 : 0
    if let last, side != 0, nearSide != 0, side != nearSide {
      // The last place has the sign of `nearSide` or is on the line: the share is between 0 and 1.
      let share = last.beside / (last.beside - place.beside)
      changedAt = last.along + (place.along - last.along) * share
    }
    last = place
    if side != 0 { nearSide = side }
    guard side != 0, abs(place.beside) > tolerance, side != firmSide else { return nil }
    let before = firmSide
    firmSide = side
    guard before != 0, (0...1).contains(changedAt) else { return nil }
    return side > 0 ? .in : .out
  }
}
