// SPDX-License-Identifier: Apache-2.0

import FoveaFormats
import FoveaGeometry

/// The positions of boxes and chips over a thumbnail.
struct CardOverlay {
  /// The size of the drawing, about the size of the image on the page.
  let frame: PixelSize
  /// The size of the upright image, in whose coordinates the boxes are given.
  let imageSize: PixelSize

  private static let fontSize = 11.0
  private static let chipHeight = 16.0
  private static let padding = 5.0
  private static let lineWidth = 2.0
  /// The maximum number of chips; more would hide the image.
  private static let chipLimit = 12

  /// Returns the size of an image scaled to fill a card, so that text has the same size on all cards.
  static func frame(of size: PixelSize) -> PixelSize {
    let factor = min(320 / Double(max(1, size.width)), 240 / Double(max(1, size.height)))
    return PixelSize(
      width: max(1, Int((Double(size.width) * factor).rounded())),
      height: max(1, Int((Double(size.height) * factor).rounded())))
  }

  /// The position of a box, and the chip of its caption; nil for a chip that does not fit.
  struct Mark {
    var box: BoundingBox
    var chip: (place: BoundingBox, text: String)?
  }

  /// Returns the marker of each object; nil for an object without a visible box.
  func marks(_ findings: ArraySlice<HTMLReport.Finding>) -> [Mark?] {
    var marks = findings.map { finding in finding.box.flatMap(outline).map { Mark(box: $0) } }
    let shown = marks.indices.filter { marks[$0] != nil }.prefix(Self.chipLimit)
    let items = shown.compactMap { index in
      marks[index].map { (findings[findings.startIndex + index], $0.box) }
    }
    for (index, chip) in zip(shown, chips(items)) { marks[index]?.chip = chip }
    return marks
  }

  /// Returns the middle of the line, half the line width inside the frame, so that the line is not clipped.
  private func outline(_ box: BoundingBox) -> BoundingBox? {
    let visible = box.clamped(to: imageSize)
    guard !box.isEmpty, !visible.isEmpty else { return nil }
    let x = Double(frame.width) / Double(imageSize.width)
    let y = Double(frame.height) / Double(imageSize.height)
    let half = Self.lineWidth / 2
    func inside(_ value: Double, _ limit: Int) -> Double {
      min(max(value, half), max(half, Double(limit) - half))
    }
    return BoundingBox(
      minX: inside(visible.minX * x, frame.width), minY: inside(visible.minY * y, frame.height),
      maxX: inside(visible.maxX * x, frame.width), maxY: inside(visible.maxY * y, frame.height))
  }

  private func chips(
    _ items: [(HTMLReport.Finding, BoundingBox)]
  ) -> [(place: BoundingBox, text: String)?] {
    let widest = Double(frame.width) - 2 * Self.padding
    let texts = items.map { finding, _ in fitted(finding, widest) }
    let requests = zip(items, texts).map { item, text in
      let half = Self.lineWidth / 2
      let outer = BoundingBox(
        minX: item.1.minX - half, minY: item.1.minY - half, maxX: item.1.maxX + half, maxY: item.1.maxY + half
      )
      let width = text.map { ChipText.width(of: $0, fontSize: Self.fontSize) + 2 * Self.padding }
      return ChipPlacement.Request(box: outer, width: width ?? .infinity, height: Self.chipHeight)
    }
    let places = ChipPlacement(imageSize: frame, lineWidth: Self.lineWidth, spacing: 1).place(requests)
    var taken: [BoundingBox] = []
    return zip(texts, places).map { text, place in
      // A chip that would cover another is left out; the list below the image has every label.
      guard let text, let place, !taken.contains(where: { $0.intersection(place).area > 0 }) else {
        return nil
      }
      taken.append(place)
      return (place, text)
    }
  }

  /// Returns the caption, shortened to the frame's width; nil if not even one letter fits.
  private func fitted(_ finding: HTMLReport.Finding, _ width: Double) -> String? {
    let score = ReportNumber.fixed(finding.score, 2)
    let label = CaptionText.cleaned(finding.label)
    let caption = label.isEmpty ? score : "\(label) \(score)"
    let text = try? CaptionText.fitted(caption, width: width) { (text) throws(RenderError) in
      ChipText.width(of: text, fontSize: Self.fontSize)
    }
    return text ?? nil
  }
}
