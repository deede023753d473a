// SPDX-License-Identifier: Apache-2.0

import Fovea
import FoveaCore
import FoveaDecoding
import FoveaGeometry
import Testing

@testable import FoveaFormats

@Suite struct COCODatasetTests {
  static func object(_ index: Int?, _ text: String? = nil) -> DetectedObject {
    DetectedObject(
      box: BoundingBox(x: 1.234, y: 2, width: 3, height: 4.5), score: 0.25,
      labels: index.map { [Label(text: text, index: $0, confidence: 0.25)] } ?? [])
  }

  static func text(_ names: [String], _ records: [DetectionRecord]) -> (text: String, notes: [String]) {
    var writer = COCODatasetWriter(classNames: names, author: "fovea 0.1")
    return (writer.text(of: records), writer.notes)
  }

  static let start =
    "{\"info\": {\"description\": \"Objects found by fovea 0.1\"}, \"licenses\": [],\n"

  @Test func `ids follow the input and the model's classes`() {
    let result = Self.text(
      ["person", "???", "cat", "???"],
      [
        Sample.record("in/a.jpg", [Self.object(2, "cat"), Self.object(nil)]),
        DetectionRecord(image: "bad.jpg", result: .failure(Sample.error)),
        Sample.record("none.jpg", []),
        Sample.record("b\"\n.jpg", [Self.object(3, "???"), Self.object(-1), Self.object(6, "new")]),
      ])
    let box = #""bbox": [1.23, 2, 3, 4.5], "area": 13.5, "segmentation": [], "iscrowd": 0, "score": 0.25}"#
    #expect(
      result.text == Self.start + """
        "annotations": [
        {"id": 1, "image_id": 1, "category_id": 3, \(box),
        {"id": 2, "image_id": 1, "category_id": 5, \(box),
        {"id": 3, "image_id": 4, "category_id": 4, \(box),
        {"id": 4, "image_id": 4, "category_id": 7, \(box)
        ],
        "images": [
        {"id": 1, "file_name": "in/a.jpg", "width": 4032, "height": 3024, "orientation": "right"},
        {"id": 3, "file_name": "none.jpg", "width": 4032, "height": 3024, "orientation": "right"},
        {"id": 4, "file_name": "b\\"\\n.jpg", "width": 4032, "height": 3024, "orientation": "right"}
        ],
        "categories": [
        {"id": 1, "name": "person", "supercategory": ""},
        {"id": 3, "name": "cat", "supercategory": ""},
        {"id": 4, "name": "???", "supercategory": ""},
        {"id": 5, "name": "object", "supercategory": ""},
        {"id": 6, "name": "class 5", "supercategory": ""},
        {"id": 7, "name": "new", "supercategory": ""}
        ]}

        """)
    #expect(result.notes == ["left out: 1 object with an impossible class"])
  }

  @Test func `an empty run writes a complete file`() {
    #expect(
      Self.text([], []).text == Self.start + "\"annotations\": [],\n\"images\": [],\n\"categories\": []}\n")
    #expect(
      Self.text(["a"], [DetectionRecord(image: "x", result: .failure(Sample.error))]).text
        == Self.start + """
          "annotations": [],
          "images": [],
          "categories": [
          {"id": 1, "name": "a", "supercategory": ""}
          ]}

          """)
  }

  @Test func `a name that is not UTF-8 keeps its bytes`() {
    let record = DetectionRecord(
      name: ImageName(FilePath(bytes: Array("caf".utf8) + [0xE9])),
      result: Sample.record("", []).result)
    let text = Self.text([], [record]).text
    #expect(
      text.contains(
        #"{"id": 1, "file_name": "caf\#u{FFFD}", "file_name_bytes": "Y2Fm6Q==", "width": 4032, "height": 3024, "orientation": "right"}"#
      ))
  }
}
