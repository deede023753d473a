// SPDX-License-Identifier: Apache-2.0

/// The state of one object's passage over a line.
struct LinePassage {
  /// A point in the coordinates of the line.
  struct Place {
    /// The position along the line: 0 at its start, 1 at its end.
    var along: Double
    /// The distance from the line in pixels: positive on its right, negative on its left.
    var beside: Double
  }

  /// The last position of the object.
  private var last: Place?
  /// The sign of the last distance that was not 0: the object's side, however near.
  private var nearSide = 0.0
  /// The last side on which it was farther away than the tolerance; 0 before the first time.
  private var firmSide = 0.0
  /// The position along the line of the last change of `nearSide`.
  private var changedAt = 0.0

  /// Moves the object.
  /// - Parameters:
  ///   - place: The current position.
  ///   - tolerance: The distance in pixels beyond which the object is certainly on a side, 0 or more.
  /// - Returns: The crossing that this movement completes, if any.
  mutating func move(to place: Place, tolerance: Double) -> LineCrossing.Direction? {
    let side = place.beside > 0 ? 1.0 : place.beside < 0 ? -1.0 : 0
    if let last, side != 0, nearSide != 0, side != nearSide {
      // The last distance has the sign of `nearSide` or is 0, so the share is between 0 and 1.
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
