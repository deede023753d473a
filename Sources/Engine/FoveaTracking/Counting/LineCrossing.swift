// SPDX-License-Identifier: Apache-2.0

/// An object that crossed a counting line.
public struct LineCrossing: Sendable, Hashable {
  /// The direction in which a line was crossed.
  public enum Direction: Sendable, Hashable, CaseIterable {
    /// From the left of the line to its right, seen from its start; down for a line from left to right.
    case `in`
    /// From the right of the line to its left; up for a line from left to right.
    case out
  }

  /// The identity of the object.
  public var identity: Int
  /// The direction of the crossing.
  public var direction: Direction
  /// The index of the class in the frame of the crossing; nil if there are no classes.
  public var classIndex: Int?

  /// Creates a crossing.
  package init(identity: Int, direction: Direction, classIndex: Int? = nil) {
    self.identity = identity
    self.direction = direction
    self.classIndex = classIndex
  }
}

/// The number of crossings of a line.
public struct LineCounts: Sendable, Hashable {
  /// Crossings from the left of the line to its right.
  public var `in` = 0
  /// Crossings from the right of the line to its left.
  public var out = 0

  /// Creates counts of 0.
  public init() {}

  mutating func add(_ direction: LineCrossing.Direction) {
    switch direction {
    case .in: `in` += 1
    case .out: out += 1
    }
  }
}
