// SPDX-License-Identifier: Apache-2.0

public import FoveaGeometry

/// The options for trails.
public struct TrailOptions: Sendable, Hashable {
  /// The duration of a trail in seconds, above 0 and at most 600; 2 by default.
  ///
  /// A higher value shows more of the path but fills crowded images.
  public var seconds = 2.0
  /// The maximum number of points per trail, 2…1,000; 120 by default, two seconds at 60 frames per second.
  ///
  /// The oldest points are removed first.
  public var maximumPoints = 120
  /// The maximum number of trails, 1…100,000; 1,000 by default.
  ///
  /// Further objects get a trail when others end.
  public var maximumTrails = 1000
  /// The point of a box that the trail follows; the middle of its lower edge by default.
  public var anchor = BoxAnchor.bottomCenter

  /// Creates the default options.
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
