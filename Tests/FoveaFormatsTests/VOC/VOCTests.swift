// SPDX-License-Identifier: Apache-2.0

import Foundation
import FoundationXML
import Fovea
import FoveaCore
import FoveaDecoding
import FoveaGeometry
import Testing

@testable import FoveaFormats

@Suite struct VOCTests {
  static let size = PixelSize(width: 600, height: 400)

  static func findings(_ objects: [DetectedObject]) -> DetectionRecord.Findings {
    DetectionRecord.Findings(size: size, orientation: .up, content: .objects(objects))
  }

  static func text(_ path: String, _ objects: [DetectedObject]) -> String {
    VOCDocument(findings(objects), of: ImageFile(path: path, relativePath: "a.jpg")).text
  }

  @Test func `an annotation is exactly this`() {
    let cup = DetectedObject(
      box: BoundingBox(x: 98.31, y: 5.97, width: 351.21, height: 388.06), score: 0.863281,
      labels: [Label(text: "Home <good>", index: 2, confidence: 0.859375), Sample.label])
    let bare = DetectedObject(box: BoundingBox(x: 0, y: 10, width: 5, height: 5), score: 0.5)
    #expect(
      Self.text("in/photos & co/a.jpg", [cup, bare]) == """
        <annotation>
        \t<folder>photos &amp; co</folder>
        \t<filename>a.jpg</filename>
        \t<path>in/photos &amp; co/a.jpg</path>
        \t<source>
        \t\t<database>Unknown</database>
        \t\t<annotation>Fovea</annotation>
        \t</source>
        \t<size>
        \t\t<width>600</width>
        \t\t<height>400</height>
        \t\t<depth>3</depth>
        \t</size>
        \t<segmented>0</segmented>
        \t<object>
        \t\t<name>Home &lt;good&gt;</name>
        \t\t<pose>Unspecified</pose>
        \t\t<truncated>0</truncated>
        \t\t<difficult>0</difficult>
        \t\t<confidence>0.863281</confidence>
        \t\t<bndbox>
        \t\t\t<xmin>99</xmin>
        \t\t\t<ymin>7</ymin>
        \t\t\t<xmax>450</xmax>
        \t\t\t<ymax>394</ymax>
        \t\t</bndbox>
        \t</object>
        \t<object>
        \t\t<name>object</name>
        \t\t<pose>Unspecified</pose>
        \t\t<truncated>1</truncated>
        \t\t<difficult>0</difficult>
        \t\t<confidence>0.5</confidence>
        \t\t<bndbox>
        \t\t\t<xmin>1</xmin>
        \t\t\t<ymin>11</ymin>
        \t\t\t<xmax>5</xmax>
        \t\t\t<ymax>15</ymax>
        \t\t</bndbox>
        \t</object>
        </annotation>

        """)
  }

  @Test func `an image without objects and standard input have complete annotations`() {
    #expect(Self.text("a.jpg", []).hasSuffix("\t<segmented>0</segmented>\n</annotation>\n"))
    let input = ImageFile(name: ImageName("-"), relativePath: "stdin", path: nil)
    let text = VOCDocument(Self.findings([]), of: input).text
    #expect(text.contains("<folder></folder>\n\t<filename>stdin</filename>\n\t<path>-</path>"))
  }

  /// Pixels count from 1, and both edges belong to the box.
  @Test(arguments: [
    (0.0, 600.0, 1, 600), (0, 1, 1, 1), (599, 600, 600, 600), (98.31, 449.52, 99, 450), (10.4, 10.6, 11, 11),
    (10.6, 10.9, 12, 12), (0, 0.2, 1, 1), (599.9, 600, 600, 600), (-5, 700, 1, 600), (700, 800, 600, 600),
    (-9, -5, 1, 1), (1e300, 2e300, 600, 600),
  ])
  func `a range of coordinates is a range of pixels`(_ from: Double, _ to: Double, _ first: Int, _ last: Int)
  {
    let pixels = VOCDocument.pixels(from, to, 600)
    #expect(pixels.0 == first && pixels.1 == last)
  }

  /// Collects the text of each element with the names of its ancestors.
  private final class Reader: NSObject, XMLParserDelegate {
    var path: [String] = []
    var texts: [String: [String]] = [:]
    private var text = ""

    func parser(
      _ parser: XMLParser, didStartElement name: String, namespaceURI: String?, qualifiedName: String?,
      attributes: [String: String]
    ) {
      path.append(name)
      text = ""
    }

    func parser(_ parser: XMLParser, foundCharacters string: String) { text += string }

    func parser(
      _ parser: XMLParser, didEndElement name: String, namespaceURI: String?, qualifiedName: String?
    ) {
      texts[path.joined(separator: "/"), default: []].append(text)
      path.removeLast()
      text = ""
    }
  }

  @Test(arguments: [
    "</name><bndbox>&lt;", "\"'&amp;]]>", " a\tb\nc\r ", "\u{202E}gpj", "日本 🐈", "", "\u{85}\u{9F}\u{2028}",
  ])
  func `an XML parser reads back what was written`(_ name: String) throws {
    let object = DetectedObject(
      box: BoundingBox(x: 1, y: 2, width: 3, height: 4), score: 0.25,
      labels: [Label(text: name, index: 0, confidence: 0.25)])
    let text = Self.text("folder\(name.replacing("/", with: ""))/a.jpg", [object, Sample.object])
    let reader = Reader()
    let parser = XMLParser(data: Data(text.utf8))
    parser.delegate = reader
    #expect(parser.parse())
    #expect(reader.texts["annotation/object/name"] == [name, "Home good"])
    #expect(reader.texts["annotation/object/bndbox/xmin"] == ["2", "600"])
    #expect(reader.texts["annotation/path"] == ["folder\(name.replacing("/", with: ""))/a.jpg"])
  }

  @Test func `characters that XML cannot hold are replaced`() {
    #expect(XMLText.escaped("a\u{0}\u{1B}[\u{FFFE}\u{7F}") == "a\u{FFFD}\u{FFFD}[\u{FFFD}&#127;")
  }
}
