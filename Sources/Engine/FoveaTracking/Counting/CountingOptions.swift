// SPDX-License-Identifier: Apache-2.0

public import FoveaGeometry

/// The options of lines and zones.
public struct CountingOptions: Sendable, Hashable {
  /// The point of a box that counts; by default the middle of its lower edge, at the object's foot.
  public var anchor = BoxAnchor.bottomCenter
  /// The distance that an object must move beyond a line, or out of a zone, before it is counted, 0…10 times
  /// its own size; 0.1 by default.
  ///
  /// The size is the square root of the box's area, because the jitter of boxes is proportional to it.
  /// Raising the value counts an object that stays on a line less often; too large a value misses objects
  /// that turn back or vanish soon after. With 0, each change of side counts.
  public var tolerance = 0.1
  /// The number of frames that an unseen object is remembered if `update` is called without the known
  /// identities, 1 or more; 150 by default.
  ///
  /// Set it to the number of frames that the tracker keeps a lost identity: an object that disappears stays
  /// inside a zone until then. Raising it costs memory if many objects come and go; an object that reappears
  /// later is counted as a new one.
  public var memoryFrames = 150

  /// Creates the default options.
  public init() {}

  /// The largest coordinate in counters, in pixels, for which products of two differences are exact enough.
  static let largestCoordinate = 1e6

  /// Throws for values outside their range.
  func validate() throws(CountingError) {
    // The negated form also refuses NaN.
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
