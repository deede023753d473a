// SPDX-License-Identifier: Apache-2.0

import Fovea
import FoveaDecoding
import FoveaGeometry
import FoveaTesting
import Testing

@testable import FoveaFormats

@Suite struct COCOTests {
  static let instances = """
    {"info": {"year": 2017}, "images": [{"id": 139, "file_name": "000139.jpg", "license": 2},
     {"file_name": "sub/000285.jpg", "id": 285.0}],
     "annotations": [{"segmentation": [[1.5, -2e3]], "iscrowd": 0}],
     "categories": [{"id": 1, "name": "person"}, {"id": 90, "name": "tooth\\u0062rush"}]}
    """

  static func object(_ text: String?) -> DetectedObject {
    DetectedObject(
      box: BoundingBox(x: 1.234, y: 2, width: 3, height: 4.5), score: 0.25,
      labels: [Label(text: text, index: 0, confidence: 0.25)])
  }

  @Test func `labels of Darknet's list match COCO's categories`() throws {
    let index = try COCOIndex(
      instances: Array(
        #"{"images": [{"id": 1, "file_name": "a"}], "categories": [{"id": 72, "name": "tv"}, {"id": 4, "name": "sofa"}]}"#
          .utf8), name: "i.json")
    #expect(index.category(of: "tvmonitor") == 72)
    #expect(index.category(of: "tv") == 72)
    // A category with the name itself takes precedence; a missing one is nil.
    #expect(index.category(of: "sofa") == 4)
    #expect(index.category(of: "motorbike") == nil)
  }

  @Test func `results carry the ids of the instances file`() throws {
    let index = try COCOIndex(instances: Array(Self.instances.utf8), name: "i.json")
    var writer = COCOWriter(index: index)
    var text = writer.header()
    text += writer.text(
      for: Sample.record("photos/000139.jpg", [Self.object("person"), Self.object("martian")]))
    text += writer.text(for: Sample.record("sub/000285.jpg", [Self.object("toothbrush")]))
    text += writer.text(for: Sample.record("unknown.jpg", [Self.object("person")]))
    text += writer.text(
      for: Sample.record("./photos/000139.jpg", [Self.object(nil), Self.object("martian")]))
    text += writer.text(for: DetectionRecord(image: "000139.jpg", result: .failure(Sample.error)))
    text += writer.footer()
    #expect(
      text == """
        [
        {"image_id": 139, "category_id": 1, "bbox": [1.23, 2, 3, 4.5], "score": 0.25},
        {"image_id": 285, "category_id": 90, "bbox": [1.23, 2, 3, 4.5], "score": 0.25}
        ]

        """)
    #expect(
      writer.notes == [
        "labels without a category in the instances file, left out: (no label), martian",
        "1 image is not in the instances file; its objects were left out",
      ])
  }

  @Test(
    arguments: [
      (
        ["val/a.jpg"],
        ["1 image was matched by file name only; its folder differs in the instances file"]
      ),
      (
        ["val/a.jpg", "val/b.jpg"],
        ["2 images were matched by file name only; their folders differ in the instances file"]
      ),
      (["/mine/train/a.jpg", "b.jpg"], []),
    ] as [([String], [String])])
  func `images found only by their file names are noted`(_ images: [String], _ notes: [String])
    throws
  {
    let index = try COCOIndex(
      instances: Array(
        #"""
        {"images": [{"id": 1, "file_name": "/data/train/a.jpg"}, {"id": 2, "file_name": "/data/train/b.jpg"}],
         "categories": [{"id": 1, "name": "person"}]}
        """#.utf8), name: "i.json")
    var writer = COCOWriter(index: index)
    for image in images { _ = writer.text(for: Sample.record(image, [Self.object("person")])) }
    #expect(writer.notes == notes)
  }

  static let twoFolders = #"""
    {"images": [{"id": 1, "file_name": "/data/a/1.jpg"}, {"id": 2, "file_name": "2.jpg"}],
     "categories": [{"id": 1, "name": "person"}]}
    """#

  @Test(
    arguments: [
      (["a/1.jpg", "b/1.jpg"], [1, nil]), (["b/1.jpg", "a/1.jpg"], [nil, 1]),
      (["b/1.jpg", "c/1.jpg", "/mine/a/1.jpg"], [nil, nil, 1]), (["b/1.jpg", "b/2.jpg"], [1, 2]),
      (["b/2.jpg", "./b/2.jpg"], [2, 2]),
    ] as [([String], [Int?])])
  func `among images with one name the one with the longest matching path has the id`(
    _ images: [String], _ ids: [Int?]
  ) throws {
    var index = try COCOIndex(instances: Array(Self.twoFolders.utf8), name: "i.json")
    for image in images { index.add(image) }
    try index.checkImages()
    #expect(images.map { index.imageID(of: $0) } == ids)
    var writer = COCOWriter(index: index)
    let isLeftOut = images.map { writer.text(for: Sample.record($0, [Self.object("person")])).isEmpty }
    #expect(isLeftOut == ids.map { $0 == nil })
  }

  @Test(arguments: [
    (["a/2.jpg", "b/2.jpg"], "'a/2.jpg' and 'b/2.jpg' may both be '2.jpg' in the instances file"),
    (["2.jpg", "b/2.jpg"], "'2.jpg' and 'b/2.jpg' may both be '2.jpg' in the instances file"),
    (["b/1.jpg", "c/1.jpg"], "'b/1.jpg' and 'c/1.jpg' may both be '/data/a/1.jpg' in the instances file"),
  ])
  func `images of two folders are not one image`(_ images: [String], _ message: String) throws {
    var index = try COCOIndex(instances: Array(Self.twoFolders.utf8), name: "i.json")
    var writer = COCOWriter(index: index)
    for image in images { index.add(image) }
    let error = #expect(throws: FoveaError.self) { try index.checkImages() }
    #expect(error?.message == message)
    #expect(error?.code == .cocoIdsInvalid)
    // A writer that does not know all images in advance uses the first.
    let isLeftOut = images.map { writer.text(for: Sample.record($0, [Self.object("person")])).isEmpty }
    #expect(isLeftOut == [false, true])
    #expect(
      writer.notes.first
        == "1 image has the id of another in the instances file ('\(images[1])' and '\(images[0])'); "
        + "its objects were left out")
  }

  struct BadCase: CustomTestStringConvertible {
    var text: String
    var code: String
    var testDescription: String { text.isEmpty ? "empty" : String(text.prefix(30)) }
  }

  @Test(arguments: [
    BadCase(text: "", code: "coco-ids-invalid"),
    BadCase(text: "[]", code: "coco-ids-invalid"),
    BadCase(text: "{\"images\": [", code: "coco-ids-invalid"),
    BadCase(text: "{\"images\": [{\"id\": \"x\"}]}", code: "coco-ids-invalid"),
    BadCase(text: "{}", code: "coco-ids-empty"),
    BadCase(text: "{\"images\": [{\"id\": 1.5}]}", code: "coco-ids-invalid"),
    BadCase(text: "{\"images\": [{\"id\": 1, \"file_name\": \"a\"}, {}]}", code: "coco-ids-empty"),
    BadCase(text: "{} {}", code: "coco-ids-invalid"),
    BadCase(text: #"{"images": [], "images": [{"id": 1}]}"#, code: "coco-ids-invalid"),
    BadCase(text: #"{"category": [{"id": 1}], "images": []}"#, code: "coco-ids-invalid"),
    BadCase(text: "{\"images\": [}]", code: "coco-ids-invalid"),
    BadCase(text: "\"text\"", code: "coco-ids-invalid"),
    BadCase(text: "7", code: "coco-ids-invalid"),
    BadCase(text: "{\"a\": \"}", code: "coco-ids-invalid"),
    BadCase(
      text: "{\"images\": [{\"a\": \"" + String(repeating: "x", count: 1 << 16) + "\"}]}",
      code: "coco-ids-invalid"),
    BadCase(text: "{\"a\": " + String(repeating: "[", count: 100_000), code: "coco-ids-invalid"),
  ])
  func `a file that is not an instances file is an error`(_ test: BadCase) {
    let error = #expect(throws: FoveaError.self) {
      try COCOIndex(instances: Array(test.text.utf8), name: "i.json")
    }
    #expect(error?.code.rawValue == test.code)
  }

  @Test func `a file is read in chunks`() throws {
    let folder = try TemporaryFolder()
    // Other lengths of padding move each token across the border of two chunks.
    for length in 0..<Self.instances.utf8.count {
      try folder.write("i.json", String(repeating: " ", count: (1 << 18) - length) + Self.instances)
      let index = try COCOIndex(file: folder["i.json"])
      #expect(index.images == ["000139.jpg": 139, "sub/000285.jpg": 285])
      #expect(index.categories == ["person": 1, "toothbrush": 90])
    }
  }

  @Test func `only the lists of the outermost object count`() throws {
    let text = """
      \u{FEFF}{"annotations": {"images": [{"id": 1, "file_name": "no"}], "categories": [{"id": 1, "name": "no"}]},
       "a": "images", "images": [[{"id": 2, "file_name": "no"}], {"id": 3, "file_name": "y\\"]}es"}, 7],
       "x": ["images", {"id": 4, "file_name": "no"}], "categories": [{"name": "c", "id": 5, "extra": {"id": [{}]}}]}
      """
    let index = try COCOIndex(instances: Array(text.utf8), name: "i.json")
    #expect(index.images == ["y\"]}es": 3])
    #expect(index.categories == ["c": 5])
  }

  @Test func `an error names the entry`() {
    let error = #expect(throws: FoveaError.self) {
      try COCOIndex(
        instances: Array("{\"images\": [{\"id\": 1}, {\"id\": \"x\"}]}".utf8), name: "i.json")
    }
    #expect(error?.message.hasPrefix("'i.json' is not a COCO instances file at 'images[1].id': ") == true)
  }

  @Test func `a missing instances file is an error`() {
    #expect(throws: FoveaError.self) { try COCOIndex(file: "/nonexistent/i.json") }
  }
}
