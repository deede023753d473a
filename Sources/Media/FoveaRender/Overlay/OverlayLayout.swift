// SPDX-License-Identifier: Apache-2.0

import FoveaGeometry

/// The layout of all items, computed before the first pixel changes.
struct OverlayLayout {
  /// One object, ready to paint.
  struct Piece {
    /// The outer edge of the line, on whole pixels, inside the image.
    var outline: BoundingBox
    /// The width of the line.
    var lineWidth: Double
    /// The corners of the rotated box, drawn in place of the upright one; empty if there is none.
    var corners: [PixelPoint]
    /// The outlines of the mask within the image; empty if there is none.
    var mask: [[PixelPoint]]
    /// The visible keypoints.
    var skeleton: Skeleton
    /// The colour of the line, chip and trail.
    var color: RGBColor
    /// The earlier positions of the object, the oldest first.
    var trail: [PixelPoint]
    /// The chip, if there is one.
    var chip: Chip?
  }

  /// A chip and its text.
  struct Chip {
    /// The chip's frame, on whole pixels, inside the image.
    var frame: BoundingBox
    /// The text, already shortened to the chip's width.
    var text: String
  }

  /// The dimensions of lines, text and chips.
  let metrics: OverlayMetrics
  /// The height of a capital letter, used to centre text.
  let capHeight: Double
  /// The objects to paint, in the order of the items, without the skipped items.
  private(set) var pieces: [Piece]
  /// The lines and zones to paint, in their order; skipped ones are missing.
  private(set) var counters: [CounterLayout]

  /// Lays out items, lines and zones on an image.
  ///
  /// - Throws: `font-unusable` if captions are shown and cannot be measured.
  init(
    _ items: [OverlayItem], counters: [OverlayCounter], size: PixelSize, style: OverlayStyle,
    painter: borrowing CairoPainter
  ) throws(RenderError) {
    let metrics = OverlayMetrics(size: size, scale: style.scale)
    self.metrics = metrics
    var texts: [String?] = []
    pieces = []
    self.counters = counters.compactMap { CounterLayout($0, metrics: metrics) }
    for item in items {
      guard let piece = Self.piece(item, in: size, metrics: metrics, style: style) else { continue }
      pieces.append(piece)
      texts.append(style.showsCaptions ? CaptionText.cleaned(item.caption) : nil)
    }
    let counterTexts = self.counters.map {
      style.showsCaptions ? CaptionText.cleaned($0.counter.caption) : ""
    }
    let hasText = texts.contains { $0?.isEmpty == false } || counterTexts.contains { !$0.isEmpty }
    guard hasText, metrics.chipHeight * 2 <= Double(size.height)
    else {
      capHeight = 0
      return
    }
    painter.setFont(family: style.fontFamily, size: metrics.fontSize)
    capHeight = try painter.extent(of: "H").ascent
    try addCounterChips(counterTexts, size: size, painter: painter)
    try addChips(texts, size: size, painter: painter)
  }

  /// Returns an object without its chip; `nil` if its box lies outside the image.
  private static func piece(
    _ item: OverlayItem, in size: PixelSize, metrics: OverlayMetrics, style: OverlayStyle
  ) -> Piece? {
    // Outlines are made only for boxes that are drawn.
    guard outline(of: item.box, in: size, lineWidth: 0) != nil else { return nil }
    let mask = item.mask?.clamped(to: size).outlines ?? []
    let skeleton = Skeleton(item, threshold: style.keypointThreshold)
    let hasThinBox = !mask.isEmpty || !skeleton.bones.isEmpty
    let lineWidth = hasThinBox ? metrics.thinLineWidth : metrics.lineWidth
    guard let outline = outline(of: item.box, in: size, lineWidth: lineWidth) else { return nil }
    let corners = item.orientedBox?.corners ?? []
    let isDrawable = corners.allSatisfy {
      max(abs($0.x), abs($0.y)) <= CairoPainter.farthestCoordinate
    }
    return Piece(
      outline: outline, lineWidth: lineWidth, corners: isDrawable ? corners : [], mask: mask,
      skeleton: skeleton, color: item.color, trail: item.trail)
  }

  /// Returns the outer edge of the line around a box; `nil` if the box lies outside the image.
  static func outline(of box: BoundingBox, in size: PixelSize, lineWidth: Double) -> BoundingBox? {
    // An edge that is not a number makes the box empty; infinite edges are clipped to the image.
    guard !box.isEmpty else { return nil }
    let visible = box.clamped(to: size)
    guard !visible.isEmpty else { return nil }
    let half = lineWidth / 2
    let grown = BoundingBox(
      minX: (visible.minX - half).rounded(), minY: (visible.minY - half).rounded(),
      maxX: (visible.maxX + half).rounded(), maxY: (visible.maxY + half).rounded())
    return grown.clamped(to: size)
  }

  /// Returns the text that fits into the image, and the width of its chip; `nil` if there is no text or
  /// space.
  private func fitted(
    _ text: String?, in size: PixelSize, painter: borrowing CairoPainter
  ) throws(RenderError) -> (text: String, width: Double)? {
    guard let text, !text.isEmpty else { return nil }
    let padding = 2 * metrics.chipPadding
    var measured = 0.0
    let fitted = try CaptionText.fitted(text, width: Double(size.width) - padding) {
      (text) throws(RenderError) in
      measured = try painter.extent(of: text).width
      return measured
    }
    guard let fitted else { return nil }
    // Measuring lays out the whole text: if it fits, measure it only once.
    let width = fitted == text ? measured : try painter.extent(of: fitted).width
    return (fitted, min((width + padding).rounded(.up), Double(size.width)))
  }

  /// Adds the chips of lines and zones, which do not move between frames; chips of objects avoid them.
  private mutating func addCounterChips(
    _ texts: [String], size: PixelSize, painter: borrowing CairoPainter
  ) throws(RenderError) {
    for (index, text) in texts.enumerated() {
      guard let (text, width) = try fitted(text, in: size, painter: painter) else { continue }
      let frame = counters[index].chipFrame(width: width, metrics: metrics, in: size)
      counters[index].chip = Chip(frame: frame, text: text)
    }
  }

  private mutating func addChips(
    _ texts: [String?], size: PixelSize, painter: borrowing CairoPainter
  ) throws(RenderError) {
    var owners: [Int] = []
    var captions: [String] = []
    var requests: [ChipPlacement.Request] = []
    for (index, text) in texts.enumerated() {
      guard let (text, width) = try fitted(text, in: size, painter: painter) else { continue }
      owners.append(index)
      captions.append(text)
      requests.append(
        ChipPlacement.Request(
          box: ChipPlacement.box(
            around: pieces[index].corners, outline: pieces[index].outline,
            lineWidth: pieces[index].lineWidth, chipHeight: metrics.chipHeight, in: size),
          width: width, height: metrics.chipHeight, lineWidth: pieces[index].lineWidth))
    }
    let placement = ChipPlacement(imageSize: size, lineWidth: metrics.lineWidth, spacing: metrics.haloWidth)
    let reserved = counters.compactMap { $0.chip?.frame }
    for (number, frame) in placement.place(requests, reserved: reserved).enumerated() {
      guard let frame else { continue }
      pieces[owners[number]].chip = Chip(frame: frame, text: captions[number])
    }
  }
}
