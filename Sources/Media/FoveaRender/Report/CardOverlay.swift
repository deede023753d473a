// SPDX-License-Identifier: Apache-2.0

import FoveaFormats
import FoveaGeometry

/// The positions of boxes, masks, keypoints and chips over a thumbnail.
struct CardOverlay {
  /// The size of the drawing, about the size of the image on the page.
  let frame: PixelSize
  /// The size of the upright image, in whose coordinates the boxes are given.
  let imageSize: PixelSize
  /// Whether masks and keypoints are drawn, besides boxes.
  let showsShapes: Bool
  /// The least score of a keypoint that is drawn.
  let keypointThreshold: Float

  private static let fontSize = 11.0
  private static let chipHeight = 16.0
  private static let padding = 5.0
  private static let lineWidth = 2.0
  /// The distance of an outline's points that are left out from the line that is drawn.
  private static let outlineTolerance = 0.5
  /// The largest distance of a corner from the frame's top left.
  private static let farthestCoordinate = 1e5
  /// The maximum number of chips; more would hide the image.
  private static let chipLimit = 12
  /// The maximum number of points of all outlines and skeletons, about 25 kB; further ones are not drawn.
  static let pointLimit = 2_000

  /// Returns the size of an image scaled to fill a card, so that text has the same size on all cards.
  static func frame(of size: PixelSize) -> PixelSize {
    let factor = min(320 / Double(max(1, size.width)), 240 / Double(max(1, size.height)))
    return PixelSize(
      width: max(1, Int((Double(size.width) * factor).rounded())),
      height: max(1, Int((Double(size.height) * factor).rounded())))
  }

  /// The position of a box, its shape, and the chip of its caption; nil for a chip that does not fit.
  struct Mark {
    var box: BoundingBox
    /// The corners of the rotated box, drawn in place of the upright one; empty if there is none.
    var corners: [PixelPoint] = []
    /// The outlines of the mask; empty if there is none.
    var mask: [[PixelPoint]] = []
    /// The visible keypoints and the lines between them; nil if there are none.
    var skeleton: Skeleton?
    var chip: (place: BoundingBox, text: String)?
  }

  /// Returns the marker of each object; nil for an object without a visible box.
  func marks(_ findings: ArraySlice<HTMLReport.Finding>) -> [Mark?] {
    var marks = findings.map { finding in
      finding.box.flatMap(outline).map { Mark(box: $0, corners: corners(finding.orientedBox)) }
    }
    if showsShapes { addShapes(findings, to: &marks) }
    let shown = marks.indices.filter { marks[$0] != nil }.prefix(Self.chipLimit)
    let items = shown.compactMap { index in
      marks[index].map { (findings[findings.startIndex + index], $0) }
    }
    for (index, chip) in zip(shown, chips(items)) { marks[index]?.chip = chip }
    return marks
  }

  /// Returns the middle of the line, half the line width inside the frame, so that the line is not clipped.
  private func outline(_ box: BoundingBox) -> BoundingBox? {
    let visible = box.clamped(to: imageSize)
    guard !box.isEmpty, !visible.isEmpty else { return nil }
    let (start, end) = (
      place(PixelPoint(x: visible.minX, y: visible.minY)), place(PixelPoint(x: visible.maxX, y: visible.maxY))
    )
    let half = Self.lineWidth / 2
    func inside(_ value: Double, _ limit: Int) -> Double {
      min(max(value, half), max(half, Double(limit) - half))
    }
    return BoundingBox(
      minX: inside(start.x, frame.width), minY: inside(start.y, frame.height),
      maxX: inside(end.x, frame.width), maxY: inside(end.y, frame.height))
  }

  /// Returns the position of a point of the image.
  private func place(_ point: PixelPoint) -> PixelPoint {
    PixelPoint(
      x: point.x * (Double(frame.width) / Double(imageSize.width)),
      y: point.y * (Double(frame.height) / Double(imageSize.height)))
  }

  /// Returns the corners of a rotated box; empty if there is none, or it is far larger than the image.
  private func corners(_ box: OrientedBox?) -> [PixelPoint] {
    let corners = (box?.corners ?? []).map(place)
    return corners.allSatisfy { max(abs($0.x), abs($0.y)) <= Self.farthestCoordinate } ? corners : []
  }

  /// Adds masks and skeletons while their points are within the limit, those of the best objects first.
  private func addShapes(_ findings: ArraySlice<HTMLReport.Finding>, to marks: inout [Mark?]) {
    var left = Self.pointLimit
    for (index, finding) in findings.enumerated() where marks[index] != nil {
      let skeleton = Skeleton(
        finding.keypoints.map(place), finding.keypointScores, of: finding.keypointSet,
        threshold: keypointThreshold)
      if skeleton.pointCount > 0, skeleton.pointCount <= left {
        left -= skeleton.pointCount
        marks[index]?.skeleton = skeleton
      }
      guard let mask = finding.mask else { continue }
      let outlines = mask.clamped(to: imageSize).outlines
        .map { OutlineReduction.reduced($0.map(place), tolerance: Self.outlineTolerance) }
        .filter { !$0.isEmpty }
      let count = outlines.reduce(0) { $0 + $1.count }
      guard count <= left else { continue }
      left -= count
      marks[index]?.mask = outlines
    }
  }

  private func chips(
    _ items: [(HTMLReport.Finding, Mark)]
  ) -> [(place: BoundingBox, text: String)?] {
    let widest = Double(frame.width) - 2 * Self.padding
    let texts = items.map { finding, _ in fitted(finding, widest) }
    let requests = zip(items, texts).map { item, text in
      let half = Self.lineWidth / 2
      let box = item.1.box
      let outer = BoundingBox(
        minX: box.minX - half, minY: box.minY - half, maxX: box.maxX + half, maxY: box.maxY + half)
      let width = text.map { ChipText.width(of: $0, fontSize: Self.fontSize) + 2 * Self.padding }
      return ChipPlacement.Request(
        box: ChipPlacement.box(
          around: item.1.corners, outline: outer, lineWidth: Self.lineWidth, chipHeight: Self.chipHeight,
          in: frame),
        width: width ?? .infinity, height: Self.chipHeight)
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
