// SPDX-License-Identifier: Apache-2.0

import FoveaGeometry
public import FoveaImage

/// Draws a detector's objects on an image: a box around each object, its mask if it has one, and a chip with
/// its caption.
///
/// Line width and text size grow with the image. Each class has one colour (`ClassPalette`). A halo around
/// each line, and black or white text depending on the colour, keep both visible on any background.
///
/// ```swift
/// let canvas = PixelCanvas(size: PixelSize(width: 640, height: 480))
/// let cat = OverlayItem(
///   box: BoundingBox(x: 80, y: 60, width: 300, height: 240), caption: "cat 0.91", colorKey: "cat")
/// try Overlay().draw([cat], on: canvas)
/// ```
public struct Overlay: Sendable, Hashable {
  /// The style of boxes and captions.
  public var style: OverlayStyle

  /// Creates an overlay.
  public init(style: OverlayStyle = OverlayStyle()) { self.style = style }

  /// Draws objects with their trails on an image, above the counting lines and zones.
  ///
  /// A box is clipped to the image: its line runs along the image's edge. A chip is attached to the top left
  /// of its box; if it would leave the image or cover another chip, it moves inside, below, or to the right.
  /// Text wider than the image ends in "…". A chip that is higher than half of a tiny image, or too narrow
  /// for a single letter, is left out.
  ///
  /// A mask is clipped to the image and filled with 40 % of the colour, with a line along its edge and a thin
  /// line for its box. A rotated box is drawn in place of the upright one. Keypoints from a score of
  /// ``OverlayStyle/keypointThreshold`` on are drawn as dots, and as a skeleton with three tones, for the
  /// left, the middle and the right, if their set is known.
  ///
  /// A box that is empty, lies outside the image or has an edge that is not a number is skipped. One bad box
  /// does not fail the image; the result is the number of boxes drawn.
  ///
  /// - Parameters:
  ///   - items: The objects, the most important first, as their chips choose their places first.
  ///   - counters: Lines and zones, drawn below the objects; those with too few, identical or non-finite
  ///     points are skipped.
  ///   - canvas: The upright image to draw on.
  /// - Returns: The number of objects drawn; fewer than `items` if boxes were skipped.
  /// - Throws: `invalid-style` or `font-unusable` before anything is drawn, `canvas-unusable` if Cairo cannot
  ///   draw on the canvas (at most 32,767 pixels per side), `drawing-failed` if it failed half-way.
  @discardableResult
  public func draw(
    _ items: [OverlayItem], counters: [OverlayCounter] = [], on canvas: PixelCanvas
  ) throws(RenderError) -> Int {
    try style.validate()
    let size = canvas.size
    let bytesPerRow = canvas.bytesPerRow
    return try unsafe canvas.withUnsafeMutableBytes { (pixels) throws(RenderError) -> Int in
      // SAFETY: the painter is released before the closure and the validity of the pixels end.
      let painter = try unsafe CairoPainter(pixels: pixels, size: size, bytesPerRow: bytesPerRow)
      let layout = try OverlayLayout(items, counters: counters, size: size, style: style, painter: painter)
      layout.paint(with: painter)
      try painter.finish()
      return layout.pieces.count
    }
  }

  /// The former name of ``draw(_:counters:on:)``.
  @available(*, deprecated, renamed: "draw(_:counters:on:)")
  @discardableResult
  public func draw(
    _ items: [OverlayItem], guides: [OverlayCounter], on canvas: PixelCanvas
  ) throws(RenderError) -> Int {
    try draw(items, counters: guides, on: canvas)
  }
}

/// The style of boxes and captions; the defaults suit photographs of any size.
public struct OverlayStyle: Sendable, Hashable {
  /// The factor for line width, corner radii and font size, 0.1…10; 1 by default.
  ///
  /// All of them already grow with the image; use a larger factor for images that are shown small, a smaller
  /// factor for crowded ones.
  public var scale = 1.0
  /// Whether captions are drawn, `true` by default; `false` draws only boxes, for crowded images.
  public var showsCaptions = true
  /// The least score of a keypoint that is drawn, 0…1; 0.3 by default.
  ///
  /// Points without scores are drawn.
  public var keypointThreshold: Float = 0.3
  /// The font family of the captions, "sans-serif" by default, which the system maps to its preferred font.
  ///
  /// A family that is not installed is replaced by the closest one; missing letters are drawn as empty boxes.
  public var fontFamily = "sans-serif"

  /// Creates the default style.
  public init() {}

  /// Refuses values out of range.
  func validate() throws(RenderError) {
    // Neither range contains NaN.
    guard scale >= 0.1 && scale <= 10 else {
      throw RenderError(
        .invalidStyle, "OverlayStyle.scale is \(scale); expected 0.1 to 10",
        remedy: "Set a factor in this range, 1 for the default look")
    }
    guard (0...1).contains(keypointThreshold) else {
      throw RenderError(
        .invalidStyle, "OverlayStyle.keypointThreshold is \(keypointThreshold); expected 0 to 1",
        remedy: "Set a score in this range, 0 to draw every point")
    }
  }
}
