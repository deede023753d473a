// SPDX-License-Identifier: Apache-2.0

public import FoveaGeometry

/// How long trails are and what leaves them.
public struct TrailOptions: Sendable, Hashable {
  /// How long a trail reaches back, in seconds, more than 0 and 600 at most; 2 by default.
  ///
  /// Raising it shows more of the way and fills crowded images.
  public var seconds = 2.0
  /// The most points of one trail, 2…1,000, 120 by default: two seconds at 60 frames a second.
  ///
  /// The oldest go first.
  public var maximumPoints = 120
  /// The most objects with a trail, 1…100,000, 1,000 by default; those beyond get none until others are gone.
  public var maximumTrails = 1000
  /// The point of a box that leaves the trail; the middle of its lower edge by default.
  public var anchor = BoxAnchor.bottomCenter

  /// The defaults.
  public init() {}

  /// Refuses values out of range.
  func validate() throws(RenderError) {
    // The negated form refuses NaN as well.
    if !(seconds > 0 && seconds <= 600) {
      throw Self.invalid("seconds", "\(seconds)", "more than 0, 600 at most")
    }
    if !(2...1000).contains(maximumPoints) {
      throw Self.invalid("maximumPoints", "\(maximumPoints)", "2 to 1000")
    }
    if !(1...100_000).contains(maximumTrails) {
      throw Self.invalid("maximumTrails", "\(maximumTrails)", "1 to 100000")
    }
  }

  private static func invalid(_ name: String, _ value: String, _ range: String) -> RenderError {
    RenderError(
      .invalidStyle, "TrailOptions.\(name) is \(value); expected \(range)",
      remedy: "Set a value in this range")
  }
}
