// SPDX-License-Identifier: Apache-2.0

import Fovea
import FoveaCore
import FoveaFormats
import FoveaGeometry
import FoveaImage

/// The card of one image, as an element of a report's data.
struct ImageCard {
  let image: HTMLReport.Image
  /// The findings in the image.
  let found: [HTMLReport.Finding]
  /// The numbers of the classes in the image.
  let classes: [Int]
  /// Whether the card shows the thumbnail, the masks and the keypoints, which make it large.
  let showsThumbnail: Bool
  /// The least score of a keypoint that is drawn.
  let keypointThreshold: Float

  /// The maximum number of findings that are drawn and listed; no thumbnail has space for more.
  static let findingLimit = 100

  /// Returns the element as JSON.
  /// - Throws: `drawing-failed` if the map cannot be encoded.
  func json() throws(RenderError) -> [UInt8] {
    let map = try mapDrawing()
    var json = JSONText(capacity: 1024)
    let shown = found.prefix(Self.findingLimit)
    json.object { json in
      json.member("name", ReportText.shortened(image.name))
      json.member("found", found.count)
      json.member("best", found.map(\.score).max(), places: 4)
      json.member("classes", classes)
      if let total = image.stages.first(where: { $0.name == "total" }) {
        json.member("ms", total.duration.milliseconds, places: 3)
      }
      guard let size = image.size else { return append(shown.map { ($0, nil) }, to: &json) }
      json.member("size", [size.width, size.height])
      guard size.width > 0, size.height > 0 else { return append(shown.map { ($0, nil) }, to: &json) }
      let frame = CardOverlay.frame(of: size)
      json.member("frame", [frame.width, frame.height])
      let overlay = CardOverlay(
        frame: frame, imageSize: size, showsShapes: showsThumbnail, keypointThreshold: keypointThreshold)
      append(Array(zip(shown, overlay.marks(shown))), to: &json)
      if showsThumbnail, let thumbnail = image.thumbnail {
        json.member("image") { json in
          json.member("width", thumbnail.size.width)
          json.member("height", thumbnail.size.height)
          json.member("jpeg", Base64.encode(thumbnail.jpeg))
        }
      }
      if let map { json.member("map", Base64.encode(map)) }
    }
    return ReportPage.embedded(json.text)
  }

  /// Returns the PNG of the map, transparent except for its classes; nil if none is drawn.
  private func mapDrawing() throws(RenderError) -> [UInt8]? {
    guard showsThumbnail, case .map(let map) = image.answer, let size = image.size, size.area > 0 else {
      return nil
    }
    let (frame, colors) = (CardOverlay.frame(of: size), MapColors(map))
    let opacities = (0..<256).map { colors.color(ofClass: $0) == nil ? 0 : MapColors.opacity }
    do throws(ImageError) {
      let classes = map.scaled(from: size, to: frame).classes(in: frame)
      return try ClassImage.png(classes, size: frame, opacities: opacities)
    } catch {
      throw RenderError(
        .drawingFailed, "The map of '\(image.name)' cannot be drawn: \(error.message)",
        remedy: "Write the report without this image")
    }
  }

  private func append(_ findings: [(HTMLReport.Finding, CardOverlay.Mark?)], to json: inout JSONText) {
    json.member("findings", findings) { json, item in
      let (finding, mark) = item
      json.object { json in
        json.member("label", ReportText.shortened(finding.label))
        json.member("score", finding.score, places: 4)
        json.color(of: finding.label, finding.tone)
        guard let mark else { return }
        json.coordinates("box", [mark.box.minX, mark.box.minY, mark.box.width, mark.box.height])
        if !mark.corners.isEmpty { json.coordinates("corners", mark.corners.coordinates) }
        if !mark.mask.isEmpty {
          json.member("mask", mark.mask) { json, outline in json.coordinates(outline.coordinates) }
        }
        if let skeleton = mark.skeleton {
          json.sides("bones", skeleton.bones.map { ($0.side, $0.ends) })
          json.sides("joints", skeleton.joints.map { ($0.side, [$0.point]) })
        }
        guard let chip = mark.chip else { return }
        json.coordinates("chip", [chip.place.minX, chip.place.minY, chip.place.width])
        json.member("caption", chip.text)
      }
    }
  }

  /// Returns the number of a class name's colour; nil for an object without a class.
  static func color(of label: String) -> Int? {
    label.isEmpty ? nil : ClassPalette.colors.firstIndex(of: ClassPalette.color(for: label))
  }
}

extension JSONText {
  /// Appends the number of a class's colour, or the colour itself in which a map paints it.
  mutating func color(of label: String, _ tone: HTMLReport.Finding.Tone) {
    switch tone {
    case .ofName: if let color = ImageCard.color(of: label) { member("color", color) }
    case .painted(let color): if let color { member("paint", color.description) }
    }
  }
}

extension JSONText {
  /// Appends the coordinates of a drawing, with one decimal place.
  fileprivate mutating func coordinates(_ name: StaticString, _ values: [Double]) {
    key(name)
    coordinates(values)
  }

  /// Appends the coordinates of the left, of the middle and of the right side; nothing without parts.
  fileprivate mutating func sides(
    _ name: StaticString, _ parts: [(side: KeypointSet.Side, points: [PixelPoint])]
  ) {
    guard !parts.isEmpty else { return }
    member(name, [KeypointSet.Side.left, .middle, .right]) { json, side in
      json.coordinates(parts.filter { $0.side == side }.flatMap(\.points.coordinates))
    }
  }

  fileprivate mutating func coordinates(_ values: [Double]) {
    array(values) { $0.number($1, places: 1) }
  }
}

extension [PixelPoint] {
  /// x and y of each point, one after the other.
  fileprivate var coordinates: [Double] { flatMap { [$0.x, $0.y] } }
}
