// SPDX-License-Identifier: Apache-2.0

import CCairo
import FoveaGeometry

/// Draws shapes and text on pixels in memory.
///
/// After its first failure Cairo draws nothing more, so drawing calls do not throw; `finish()` does.
@safe struct CairoPainter: ~Copyable {
  /// The maximum width and height of Cairo's image surfaces, in pixels.
  static let maxDimension = 32_767

  /// The largest coordinate in pixels; Cairo's numbers end at 2²³.
  static let farthestCoordinate = Double(1 << 22)

  // SAFETY: both are created in init and released once, in deinit; the painter cannot be copied, and exists
  // only inside the closure that provides the pixels.
  private let surface: OpaquePointer
  private let context: OpaquePointer

  /// Makes a painter on pixels in the order blue, green, red, unused.
  ///
  /// - Parameters:
  ///   - pixels: The image's memory, which must outlive the painter.
  ///   - size: The width and height of the image.
  ///   - bytesPerRow: The distance between two rows, in bytes.
  /// - Throws: `canvas-unusable` if Cairo refuses the size or has no memory.
  @unsafe init(pixels: UnsafeMutableRawBufferPointer, size: PixelSize, bytesPerRow: Int) throws(RenderError) {
    guard
      let width = Int32(exactly: size.width), let height = Int32(exactly: size.height),
      let stride = Int32(exactly: bytesPerRow), max(width, height) <= Self.maxDimension
    else {
      throw RenderError(
        .canvasUnusable,
        "The image is \(size) pixels; drawing is possible up to \(Self.maxDimension) on each side",
        remedy: "Draw on a smaller copy of the image")
    }
    guard bytesPerRow >= size.width * 4, pixels.count >= bytesPerRow * size.height else {
      throw RenderError(
        .canvasUnusable,
        "The image has \(pixels.count) bytes; \(size) pixels in rows of \(bytesPerRow) need more",
        remedy: "Pass a canvas with memory for all its pixels")
    }
    // SAFETY: the memory holds `height` rows of `stride` bytes, as just checked, and outlives the painter.
    let surface = unsafe cairo_image_surface_create_for_data(
      pixels.baseAddress?.assumingMemoryBound(to: UInt8.self), CAIRO_FORMAT_RGB24, width, height, stride)
    // On failure Cairo returns an object in an error state, never null, and so does a context on it.
    guard let surface = unsafe surface, let context = unsafe cairo_create(surface) else {
      throw Self.unusable(size, "no surface")
    }
    let status = unsafe cairo_status(context)
    guard status == CAIRO_STATUS_SUCCESS else {
      unsafe cairo_destroy(context)
      unsafe cairo_surface_destroy(surface)
      throw Self.unusable(size, Self.text(status))
    }
    unsafe self.surface = surface
    unsafe self.context = context
  }

  deinit {
    unsafe cairo_destroy(context)
    unsafe cairo_surface_finish(surface)
    unsafe cairo_surface_destroy(surface)
  }

  private static func unusable(_ size: PixelSize, _ reason: String) -> RenderError {
    RenderError(
      .canvasUnusable, "Cairo cannot draw on an image of \(size) pixels: \(reason)",
      remedy: "Draw on a smaller copy of the image, or free memory")
  }

  private static func text(_ status: cairo_status_t) -> String {
    // SAFETY: Cairo returns a constant, terminated text for every status.
    unsafe String(cString: cairo_status_to_string(status))
  }

  /// Completes the drawing.
  ///
  /// - Throws: `drawing-failed` if anything failed since the painter was created.
  borrowing func finish() throws(RenderError) {
    unsafe cairo_surface_flush(surface)
    var status = unsafe cairo_status(context)
    if status == CAIRO_STATUS_SUCCESS { status = unsafe cairo_surface_status(surface) }
    guard status != CAIRO_STATUS_SUCCESS else { return }
    throw RenderError(
      .drawingFailed, "Cairo stopped drawing: \(Self.text(status))",
      remedy: "Draw again on a fresh copy of the image, or without captions")
  }

  // MARK: Shapes

  /// Fills a rectangle.
  borrowing func fill(_ box: BoundingBox, radii: CornerRadii, color: RGBColor) {
    path(box, radii)
    setColor(color, alpha: 1)
    unsafe cairo_fill(context)
  }

  /// Draws a line along a rectangle's edge, half of it inside.
  borrowing func stroke(
    _ box: BoundingBox, radii: CornerRadii, width: Double, color: RGBColor, alpha: Double = 1
  ) {
    path(box, radii)
    setColor(color, alpha: alpha)
    unsafe cairo_set_line_width(context, width)
    unsafe cairo_stroke(context)
  }

  /// Clips the drawing of `body` to a rectangle.
  borrowing func clipped(to box: BoundingBox, _ body: (borrowing CairoPainter) -> Void) {
    unsafe cairo_save(context)
    unsafe cairo_new_path(context)
    unsafe cairo_rectangle(context, box.minX, box.minY, box.width, box.height)
    unsafe cairo_clip(context)
    body(self)
    unsafe cairo_restore(context)
  }

  /// Clips the drawing of `body` to the area outside `outer` or inside `hole`.
  borrowing func clipped(
    outside outer: BoundingBox, hole: BoundingBox, _ body: (borrowing CairoPainter) -> Void
  ) {
    let everything = Double(Self.maxDimension)
    unsafe cairo_save(context)
    unsafe cairo_new_path(context)
    unsafe cairo_rectangle(context, -everything, -everything, 2 * everything, 2 * everything)
    unsafe cairo_rectangle(context, outer.minX, outer.minY, outer.width, outer.height)
    unsafe cairo_rectangle(context, hole.minX, hole.minY, hole.width, hole.height)
    unsafe cairo_set_fill_rule(context, CAIRO_FILL_RULE_EVEN_ODD)
    unsafe cairo_clip(context)
    body(self)
    unsafe cairo_restore(context)
  }

  /// Fills a polygon.
  borrowing func fill(_ points: [PixelPoint], color: RGBColor, alpha: Double = 1) {
    path(points, isClosed: true)
    setColor(color, alpha: alpha)
    unsafe cairo_fill(context)
  }

  /// Draws `body` faster, with 4 × 4 instead of 15 × 17 samples per pixel: for moving shapes.
  borrowing func coarse(_ body: (borrowing CairoPainter) -> Void) {
    let before = unsafe cairo_get_antialias(context)
    unsafe cairo_set_antialias(context, CAIRO_ANTIALIAS_FAST)
    body(self)
    unsafe cairo_set_antialias(context, before)
  }

  /// Draws a line from point to point, with round corners and ends.
  borrowing func stroke(
    _ points: [PixelPoint], isClosed: Bool, width: Double, color: RGBColor, alpha: Double = 1
  ) {
    unsafe cairo_save(context)
    path(points, isClosed: isClosed)
    setColor(color, alpha: alpha)
    unsafe cairo_set_line_width(context, width)
    unsafe cairo_set_line_join(context, CAIRO_LINE_JOIN_ROUND)
    unsafe cairo_set_line_cap(context, CAIRO_LINE_CAP_ROUND)
    unsafe cairo_stroke(context)
    unsafe cairo_restore(context)
  }

  /// Fills closed outlines, without the pixels of holes.
  ///
  /// Edges are not smooth, which is twice as fast and hidden by a line along them.
  borrowing func fill(outlines: [[PixelPoint]], color: RGBColor, alpha: Double) {
    let before = unsafe cairo_get_antialias(context)
    unsafe cairo_set_antialias(context, CAIRO_ANTIALIAS_NONE)
    path(outlines)
    setColor(color, alpha: alpha)
    unsafe cairo_fill(context)
    unsafe cairo_set_antialias(context, before)
  }

  /// Draws a line along closed outlines, with round corners.
  borrowing func stroke(outlines: [[PixelPoint]], width: Double, color: RGBColor) {
    unsafe cairo_save(context)
    path(outlines)
    setColor(color, alpha: 1)
    unsafe cairo_set_line_width(context, width)
    unsafe cairo_set_line_join(context, CAIRO_LINE_JOIN_ROUND)
    unsafe cairo_stroke(context)
    unsafe cairo_restore(context)
  }

  private borrowing func path(_ outlines: [[PixelPoint]]) {
    unsafe cairo_new_path(context)
    for outline in outlines {
      unsafe cairo_new_sub_path(context)
      for point in outline { unsafe cairo_line_to(context, point.x, point.y) }
      unsafe cairo_close_path(context)
    }
  }

  private borrowing func setColor(_ color: RGBColor, alpha: Double) {
    unsafe cairo_set_source_rgba(
      context, Double(color.red) / 255, Double(color.green) / 255, Double(color.blue) / 255, alpha)
  }

  private borrowing func path(_ box: BoundingBox, _ radii: CornerRadii) {
    let largest = max(0, min(box.width, box.height) / 2)
    unsafe cairo_new_path(context)
    func corner(_ x: Double, _ y: Double, _ dx: Double, _ dy: Double, _ radius: Double, _ quarter: Double) {
      let radius = min(radius, largest)
      unsafe cairo_arc(
        context, x + dx * radius, y + dy * radius, radius, quarter * .pi / 2, (quarter + 1) * .pi / 2)
    }
    corner(box.maxX, box.minY, -1, 1, radii.topRight, -1)
    corner(box.maxX, box.maxY, -1, -1, radii.bottomRight, 0)
    corner(box.minX, box.maxY, 1, -1, radii.bottomLeft, 1)
    corner(box.minX, box.minY, 1, 1, radii.topLeft, 2)
    unsafe cairo_close_path(context)
  }

  private borrowing func path(_ points: [PixelPoint], isClosed: Bool) {
    unsafe cairo_new_path(context)
    for point in points { unsafe cairo_line_to(context, point.x, point.y) }
    if isClosed { unsafe cairo_close_path(context) }
  }

  // MARK: Text

  /// Sets the font for the text that follows.
  borrowing func setFont(family: String, size: Double) {
    unsafe cairo_select_font_face(context, family, CAIRO_FONT_SLANT_NORMAL, CAIRO_FONT_WEIGHT_BOLD)
    unsafe cairo_set_font_size(context, size)
    // Grey anti-aliasing only: subpixel colours suit one kind of screen, but a file is shown on any.
    guard let options = unsafe cairo_font_options_create() else { return }
    unsafe cairo_font_options_set_antialias(options, CAIRO_ANTIALIAS_GRAY)
    unsafe cairo_font_options_set_hint_metrics(options, CAIRO_HINT_METRICS_OFF)
    unsafe cairo_font_options_set_hint_style(options, CAIRO_HINT_STYLE_SLIGHT)
    unsafe cairo_set_font_options(context, options)
    unsafe cairo_font_options_destroy(options)
  }

  /// Returns the extent of text in pixels: its width from the origin, and its height above the baseline.
  ///
  /// - Parameter text: One line without control characters.
  /// - Returns: Two finite numbers.
  /// - Throws: `font-unusable` if Cairo has no font or cannot read it.
  borrowing func extent(of text: String) throws(RenderError) -> (width: Double, ascent: Double) {
    var extents = cairo_text_extents_t()
    unsafe cairo_text_extents(context, text, &extents)
    let status = unsafe cairo_status(context)
    let width = max(extents.x_advance, extents.x_bearing + extents.width)
    let ascent = -extents.y_bearing
    guard status == CAIRO_STATUS_SUCCESS, width.isFinite, ascent.isFinite else {
      throw RenderError(
        .fontUnusable, "Cairo cannot set text in the font: \(Self.text(status))",
        remedy: "Install a font (Debian: apt-get install fonts-dejavu-core), or draw without captions")
    }
    return (width, ascent)
  }

  /// Draws text from its left end on the baseline.
  borrowing func draw(_ text: String, x: Double, baseline: Double, color: RGBColor) {
    setColor(color, alpha: 1)
    unsafe cairo_move_to(context, x, baseline)
    unsafe cairo_show_text(context, text)
  }
}
