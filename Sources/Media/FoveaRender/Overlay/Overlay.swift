// SPDX-License-Identifier: Apache-2.0

import FoveaGeometry
public import FoveaImage

/// Draws what a detector found on an image: a box around each object, and a chip with its caption.
///
/// Lines and text grow with the image. Each class has one colour (`ClassPalette`). A halo around each line, and black
/// or white text as the colour demands, keep both visible on any background.
///
/// ```swift
/// let canvas = PixelCanvas(size: PixelSize(width: 640, height: 480))
/// let cat = OverlayItem(
///   box: BoundingBox(x: 80, y: 60, width: 300, height: 240), caption: "cat 0.91", colorKey: "cat")
/// try Overlay().draw([cat], on: canvas)
/// ```
public struct Overlay: Sendable, Hashable {
  /// How boxes and captions look.
  public var style: OverlayStyle

  /// Makes an overlay.
  public init(style: OverlayStyle = OverlayStyle()) { self.style = style }

  /// Draws objects on an image, with their trails, above the lines and zones at which they are counted.
  ///
  /// The part of a box outside the image is cut off: its line runs along the image's edge. A chip sits on the top
  /// left of its box; where it would leave the image or cover another chip it moves inside, below, or to the right.
  /// Text wider than the image ends in "…". A chip that takes more than half the height of a tiny image, or
  /// has no room for a single letter, is left out.
  ///
  /// A box with nothing to show is skipped: one that covers nothing, lies outside the image or has an edge that is
  /// not a number. One bad box among many is no reason to refuse the image, and the result says how many were drawn.
  ///
  /// - Parameters:
  ///   - items: The objects, the most important first: their chips have the first choice of a place.
  ///   - guides: Lines and zones, drawn below the objects; those with points that are not finite, too few or all the same
  ///     are skipped.
  ///   - canvas: The upright image, which is changed.
  /// - Returns: The number of objects drawn; fewer than `items` where boxes had nothing to show.
  /// - Throws: `invalid-style` or `font-unusable` before anything is drawn, `canvas-unusable` where Cairo cannot draw
  ///   on the canvas (32,767 pixels a side at most), `drawing-failed` where it failed half-way.
  @discardableResult
  public func draw(
    _ items: [OverlayItem], guides: [OverlayGuide] = [], on canvas: PixelCanvas
  ) throws(RenderError) -> Int {
    try style.validate()
    let size = canvas.size
    let bytesPerRow = canvas.bytesPerRow
    return try unsafe canvas.withUnsafeMutableBytes { (pixels) throws(RenderError) -> Int in
      // SAFETY: the painter is released before the closure ends and the pixels with it.
      let painter = try unsafe CairoPainter(pixels: pixels, size: size, bytesPerRow: bytesPerRow)
      let layout = try OverlayLayout(items, guides: guides, size: size, style: style, painter: painter)
      layout.paint(with: painter)
      try painter.finish()
      return layout.pieces.count
    }
  }
}

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
