// SPDX-License-Identifier: Apache-2.0

import Fovea
import FoveaCore
import FoveaGeometry

/// The annotation of one image in the form of the Pascal VOC challenges.
///
/// Pixels count from 1 and both edges belong to the box: an entire 600 × 400 image is 1, 1, 600, 400. An
/// object that touches the image's edge is `truncated`, as annotation tools set it; nothing is `difficult`.
/// The score is in `confidence`, the EXIF rotation of a photo in `orientation`, and `space` is `stored` if
/// its boxes are not upright: elements that the format does not define and its readers ignore.
///
/// ``VOCReader`` reads it.
///
/// **Source:** Everingham and Winn, "The PASCAL Visual Object Classes Challenge 2012 Development Kit",
/// section 6.1.
public struct VOCDocument: Sendable {
  private let image: ImageFile
  private let findings: DetectionRecord.Findings

  /// Creates the annotation of `image`; labels without boxes are not part of it.
  public init(_ findings: DetectionRecord.Findings, of image: ImageFile) {
    self.image = image
    self.findings = findings
  }

  static let end = "</annotation>\n"

  /// Returns the line that distinguishes images with the same name.
  static func pathElement(of image: ImageFile) -> String {
    "\t<path>\(XMLText.escaped(image.name.text))</path>\n"
  }

  /// The complete file as XML.
  public var text: String {
    let path = FilePath(image.name.text)
    let isFile = image.path != nil
    let folder = isFile ? FilePath(path.parent).lastComponent : ""
    var text = """
      <annotation>
      \t<folder>\(XMLText.escaped(folder))</folder>
      \t<filename>\(XMLText.escaped(isFile ? path.lastComponent : image.relativePath))</filename>
      \(VOCDocument.pathElement(of: image))\
      \t<source>
      \t\t<database>Unknown</database>
      \t\t<annotation>Fovea</annotation>
      \t</source>
      \t<size>
      \t\t<width>\(findings.size.width)</width>
      \t\t<height>\(findings.size.height)</height>
      \t\t<depth>3</depth>
      \t</size>
      \(orientation)\
      \t<segmented>0</segmented>

      """
    if case .objects(let objects) = findings.content {
      for object in objects { text += element(of: object) }
    }
    return text + VOCDocument.end
  }

  /// The elements of a rotated photo, with which its boxes can be mapped to stored or upright pixels.
  private var orientation: String {
    guard findings.orientation != .up else { return "" }
    let space = findings.space == .stored ? "\t<space>stored</space>\n" : ""
    return "\t<orientation>\(findings.orientation.name)</orientation>\n" + space
  }

  private func element(of object: DetectedObject) -> String {
    let size = findings.size
    let (minX, maxX) = VOCDocument.pixels(object.box.minX, object.box.maxX, size.width)
    let (minY, maxY) = VOCDocument.pixels(object.box.minY, object.box.maxY, size.height)
    let touches = minX == 1 || minY == 1 || maxX == size.width || maxY == size.height
    return """
      \t<object>
      \t\t<name>\(XMLText.escaped(object.className))</name>
      \t\t<pose>Unspecified</pose>
      \t\t<truncated>\(touches ? 1 : 0)</truncated>
      \t\t<difficult>0</difficult>
      \t\t<confidence>\(DecimalText.short(Double(object.score), places: 6))</confidence>
      \t\t<bndbox>
      \t\t\t<xmin>\(minX)</xmin>
      \t\t\t<ymin>\(minY)</ymin>
      \t\t\t<xmax>\(maxX)</xmax>
      \t\t\t<ymax>\(maxY)</ymax>
      \t\t</bndbox>
      \t</object>

      """
  }

  /// Returns the first and last pixel of a range, from 1; at least one pixel, inside the image.
  static func pixels(_ from: Double, _ to: Double, _ side: Int) -> (Int, Int) {
    let limit = max(1, side)
    func pixel(_ value: Double) -> Int { Int(min(max(value.rounded(), 0), Double(limit))) }
    let first = min(pixel(from) + 1, limit)
    return (first, max(first, pixel(to)))
  }
}
