// SPDX-License-Identifier: Apache-2.0

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
