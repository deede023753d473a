// SPDX-License-Identifier: Apache-2.0

import FoveaGeometry

/// Where everything goes: made before the first pixel is changed.
struct OverlayLayout {
  /// One object, ready to be painted.
  struct Piece {
    /// The outer edge of the line, on whole pixels, inside the picture.
    var outline: BoundingBox
    /// The colour of line and chip.
    var color: RGBColor
    /// The chip, if there is one.
    var chip: Chip?
  }

  /// A chip and what it says.
  struct Chip {
    /// The chip's place, on whole pixels, inside the picture.
    var frame: BoundingBox
    /// The text, already cut to the chip's width.
    var text: String
  }

  /// The measures that everything was laid out with.
  let metrics: OverlayMetrics
  /// The height of a capital letter; text is centred by it.
  let capHeight: Double
  /// What to paint, in the order of the items; those with nothing to show are missing.
  private(set) var pieces: [Piece]

  /// Lays out items on a picture.
  ///
  /// - Throws: `font-unusable` where captions are wanted and cannot be measured.
  init(
    _ items: [OverlayItem], size: PixelSize, style: OverlayStyle, painter: borrowing CairoPainter
  ) throws(RenderError) {
    let metrics = OverlayMetrics(size: size, scale: style.scale)
    self.metrics = metrics
    var texts: [String?] = []
    pieces = []
    for item in items {
      guard let outline = Self.outline(of: item.box, in: size, lineWidth: metrics.lineWidth) else { continue }
      pieces.append(Piece(outline: outline, color: ClassPalette.color(for: item.colorKey)))
      texts.append(style.showsCaptions ? CaptionText.cleaned(item.caption) : nil)
    }
    guard texts.contains(where: { $0?.isEmpty == false }), metrics.chipHeight * 2 <= Double(size.height)
    else {
      capHeight = 0
      return
    }
    painter.setFont(family: style.fontFamily, size: metrics.fontSize)
    capHeight = try painter.extent(of: "H").ascent
    try addChips(texts, size: size, painter: painter)
  }

  /// The outer edge of the line around a box; `nil` where nothing of the box is in the picture.
  static func outline(of box: BoundingBox, in size: PixelSize, lineWidth: Double) -> BoundingBox? {
    // An edge that is not a number makes the box empty; infinite edges are cut off at the picture's.
    guard !box.isEmpty else { return nil }
    let visible = box.clamped(to: size)
    guard !visible.isEmpty else { return nil }
    let half = lineWidth / 2
    let grown = BoundingBox(
      minX: (visible.minX - half).rounded(), minY: (visible.minY - half).rounded(),
      maxX: (visible.maxX + half).rounded(), maxY: (visible.maxY + half).rounded())
    return grown.clamped(to: size)
  }

  private mutating func addChips(
    _ texts: [String?], size: PixelSize, painter: borrowing CairoPainter
  ) throws(RenderError) {
    let padding = 2 * metrics.chipPadding
    let widest = Double(size.width) - padding
    var owners: [Int] = []
    var captions: [String] = []
    var requests: [ChipPlacement.Request] = []
    for (index, text) in texts.enumerated() {
      guard let text, !text.isEmpty else { continue }
      var measured = 0.0
      let fitted = try CaptionText.fitted(text, width: widest) { (text) throws(RenderError) in
        measured = try painter.extent(of: text).width
        return measured
      }
      guard let fitted else { continue }
      // Measuring sets the whole text: once is enough where it fits.
      let width = fitted == text ? measured : try painter.extent(of: fitted).width
      owners.append(index)
      captions.append(fitted)
      requests.append(
        ChipPlacement.Request(
          box: pieces[index].outline, width: min((width + padding).rounded(.up), Double(size.width)),
          height: metrics.chipHeight))
    }
    let placement = ChipPlacement(picture: size, lineWidth: metrics.lineWidth, spacing: metrics.haloWidth)
    for (number, frame) in placement.place(requests).enumerated() {
      guard let frame else { continue }
      pieces[owners[number]].chip = Chip(frame: frame, text: captions[number])
    }
  }
}
