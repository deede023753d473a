// SPDX-License-Identifier: Apache-2.0

public import FoveaGeometry

/// How lines and zones count.
public struct CountingOptions: Sendable, Hashable {
  /// The point of a box that counts; the middle of its lower edge by default, where the object touches the ground.
  public var anchor = BoxAnchor.bottomCenter
  /// How far an object must get beyond a line, or out of a zone, before that counts, 0…10 times its own size; 0.1 by
  /// default.
  ///
  /// The size is the square root of the box's area, because boxes tremble in proportion to it. Raising the value makes
  /// an object that stands on a line count more rarely; too large a value misses those that turn back or vanish soon
  /// after. 0 counts each change of side.
  public var tolerance = 0.1
  /// For how many frames an object that is not seen is remembered where `update` is not given who is known, 1 or more; 150 by
  /// default.
  ///
  /// It should be as long as the tracker keeps a lost identity: an object that vanished stays inside a zone until then.
  /// Raising it costs memory where many objects come and go; an object that comes back later than this is taken for a new
  /// one.
  public var memoryFrames = 150

  /// The defaults.
  public init() {}

  /// The largest coordinate that counters calculate with, in pixels: products of two differences stay exact enough.
  static let largestCoordinate = 1e6

  /// Refuses values out of range.
  func validate() throws(CountingError) {
    // The negated form refuses NaN as well.
    if !(tolerance >= 0 && tolerance <= 10) {
      throw CountingError(
        .invalidOption, "CountingOptions.tolerance is \(tolerance); expected 0 to 10",
        remedy: "Set a fraction of an object's size in this range, 0.1 for the default")
    }
    if memoryFrames < 1 {
      throw CountingError(
        .invalidOption, "CountingOptions.memoryFrames is \(memoryFrames); expected 1 or more",
        remedy: "Set the number of frames that the tracker keeps a lost object, 150 for the default")
    }
  }
}
