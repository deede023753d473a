// SPDX-License-Identifier: Apache-2.0

/// How boxes and captions look; the defaults suit photographs of any size.
public struct OverlayStyle: Sendable, Hashable {
  /// A factor for line width, corner radii and font size together, 1 by default, from 0.1 to 10.
  ///
  /// All of them already grow with the image; raise the factor for images that are shown small, lower it for
  /// crowded ones.
  public var scale = 1.0
  /// Whether captions are drawn, `true` by default; `false` leaves bare boxes, for crowded images.
  public var showsCaptions = true
  /// The font of the captions, "sans-serif" by default, which the system maps to the font it prefers.
  ///
  /// A family that is not installed is replaced by the closest one; letters that it lacks are drawn as empty boxes.
  public var fontFamily = "sans-serif"

  /// The defaults.
  public init() {}

  /// Refuses values out of range.
  func validate() throws(RenderError) {
    // The negated form refuses NaN as well.
    guard !(scale >= 0.1 && scale <= 10) else { return }
    throw RenderError(
      .invalidStyle, "OverlayStyle.scale is \(scale); expected 0.1 to 10",
      remedy: "Set a factor in this range, 1 for the default look")
  }
}
