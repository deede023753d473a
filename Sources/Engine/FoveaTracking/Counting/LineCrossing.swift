// SPDX-License-Identifier: Apache-2.0

/// An object that crossed a counting line.
public struct LineCrossing: Sendable, Hashable {
  /// Which way a line was crossed.
  public enum Direction: Sendable, Hashable, CaseIterable {
    /// From the left of the line to its right, for one who walks from its start to its end; down, where the line runs
    /// from left to right.
    case `in`
    /// From the right of the line to its left; up, where the line runs from left to right.
    case out
  }

  /// The object.
  public var identity: Int
  /// Which way it went.
  public var direction: Direction
  /// The index of its class in the frame of the crossing; nil where there are no classes.
  public var classIndex: Int?

  /// Makes a crossing.
  public init(identity: Int, direction: Direction, classIndex: Int? = nil) {
    self.identity = identity
    self.direction = direction
    self.classIndex = classIndex
  }
}

/// How often a line was crossed.
public struct LineCounts: Sendable, Hashable {
  /// Crossings from the left of the line to its right.
  public var `in` = 0
  /// Crossings from the right of the line to its left.
  public var out = 0

  /// No crossings.
  public init() {}

  mutating func add(_ direction: LineCrossing.Direction) {
    switch direction {
    case .in: `in` += 1
    case .out: out += 1
    }
  }
}
