// SPDX-License-Identifier: Apache-2.0

import FoveaEvaluation
import FoveaFormats
import FoveaGeometry
import FoveaTesting
import Testing

@Suite struct COCOFilesTests {
  static let instances = #"""
    {"info": {"year": 2017}, "images": [{"id": 7, "file_name": "b.jpg"}, {"file_name": "sub/a.jpg", "id": 3.0}],
     "annotations": [
      {"id": 1, "image_id": 7, "category_id": 2, "bbox": [10, 20, 30, 40], "area": 900.5, "iscrowd": 0,
       "segmentation": [[1, 2, 3.5, -4e-1]], "ignore": 1},
      {"id": 2, "image_id": 3, "category_id": 5, "bbox": [1, 2, 3, 4], "iscrowd": true}],
     "categories": [{"id": 5, "name": "hot dog"}, {"id": 2, "name": "c\u0061t"}]}
    """#

  static func truth() throws -> COCOGroundTruth { try COCOGroundTruth(json: Array(instances.utf8)) }

  @Test func `an instances file is read`() throws {
    let truth = try Self.truth()
    #expect(truth.images == [.init(id: 3, fileName: "sub/a.jpg"), .init(id: 7, fileName: "b.jpg")])
    #expect(truth.categories == [.init(id: 2, name: "cat"), .init(id: 5, name: "hot dog")])
    #expect(
      truth.annotations == [
        .init(
          id: 1, imageID: 7, categoryID: 2, box: COCOBox(x: 10, y: 20, width: 30, height: 40), area: 900.5),
        .init(id: 2, imageID: 3, categoryID: 5, box: COCOBox(x: 1, y: 2, width: 3, height: 4), isCrowd: true),
      ])
    try #require(truth.annotations.count > 1)
    #expect(truth.annotations[1].area == 12)
  }

  struct BadCase: CustomTestStringConvertible {
    var text: String
    var message: String
    var code: EvaluationCode
    var testDescription: String { String(text.prefix(60)) }

    init(_ text: String, _ code: EvaluationCode, _ message: String) {
      (self.text, self.code, self.message) = (text, code, message)
    }
  }

  static func annotation(_ members: String) -> String {
    #"{"images":[{"id":1}],"categories":[{"id":1}],"annotations":[{\#(members)}]}"#
  }

  @Test(arguments: [
    BadCase(
      "[]", .invalidGroundTruth,
      "The ground truth: an array instead of an object with images, categories and annotations at line 1, column 1, byte 0"
    ),
    BadCase(
      "{}", .invalidGroundTruth,
      "The ground truth lists 0 images and 0 categories; at least one of each is needed"),
    BadCase(
      "{\"images\":7}", .invalidGroundTruth,
      "The ground truth: 'images' is not an array at line 1, column 11, byte 10"),
    BadCase(
      #"{"images":[{"id":1}],"images":[]}"#, .invalidGroundTruth,
      "The ground truth: the member 'images' occurs twice at line 1, column 31, byte 30"),
    BadCase(
      #"{"images":[],"annotations":[],"categories":[],"annotations":[]}"#, .invalidGroundTruth,
      "The ground truth: the member 'annotations' occurs twice at line 1, column 61, byte 60"),
    BadCase(
      #"{"images":[],"annotation":[],"categories":[]}"#, .invalidGroundTruth,
      "The ground truth: COCO files have no member 'annotation', which is at line 1, column 27, byte 26; did you mean 'annotations'?"
    ),
    BadCase(
      #"{"image":[],"annotations":[],"categories":[]}"#, .invalidGroundTruth,
      "The ground truth: COCO files have no member 'image', which is at line 1, column 10, byte 9; did you mean 'images'?"
    ),
    BadCase(
      #"{"info":{},"images":[],"annotations":[],"category":{}}"#, .invalidGroundTruth,
      "The ground truth: COCO files have no member 'category', which is at line 1, column 52, byte 51; did you mean 'categories'?"
    ),
    BadCase(
      #"{"Images":[],"annotations":[],"categorys":[]}"#, .invalidGroundTruth,
      "The ground truth: COCO files have no member 'Images', which is at line 1, column 11, byte 10; did you mean 'images'?"
    ),
    BadCase(
      "{\"images\":[{}]}", .invalidGroundTruth,
      "The ground truth: image 1 has no id at line 1, column 14, byte 13"),
    BadCase(
      "{\"images\":[{\"id\":\"x\"}]}", .invalidGroundTruth,
      "The ground truth: the id of an image is text at line 1, column 18, byte 17; a whole number is needed"),
    BadCase(
      #"{"images":[{"id":1}],"categories":[{"id":1,"name":"a"},{"id":1,"name":"b"}]}"#, .invalidGroundTruth,
      "The ground truth: the categories 'a' and 'b' have the id 1"),
    BadCase(
      annotation(#""id":1,"image_id":1,"category_id":1"#), .invalidGroundTruth,
      "The ground truth: annotation 1 has no bbox at line 1, column 98, byte 97"),
    BadCase(
      annotation(#""id":1,"image_id":1,"category_id":1,"bbox":[1,2,-3,4]"#), .invalidGroundTruth,
      "The ground truth, annotation 1 (id 1): bbox [1, 2, -3, 4] has a negative width"),
    BadCase(
      annotation(#""id":1,"image_id":1,"category_id":1,"bbox":[1,2,3,4],"area":-1"#), .invalidGroundTruth,
      "The ground truth, annotation 1 (id 1): its area is -1; 0 or more is needed"),
    BadCase(
      annotation(#""id":1,"bbox":[1,2,3]"#), .invalidGroundTruth,
      "The ground truth: bbox has fewer than four numbers at line 1, column 82, byte 81"),
    BadCase(
      "{\"images\":[", .invalidGroundTruth,
      "The ground truth: an element of 'images' is not an object at line 1, column 12, byte 11"),
  ])
  func `a file that is not ground truth is an error`(_ test: BadCase) {
    let error = #expect(throws: EvaluationError.self) { try COCOGroundTruth(json: Array(test.text.utf8)) }
    #expect(error?.code == test.code)
    #expect(error?.message == test.message)
  }

  @Test(arguments: [
    #""image": [], "#, #""annotation": 7, "#, #""info": {}, "licenses": [], "videos": [], "tracks": [], "#,
  ])
  func `members beside the lists of a COCO file do not matter`(_ other: String) throws {
    let text =
      #"{\#(other)"images": [{"id": 1}], "annotations": [], "categories": [{"id": 1, "name": "cat"}]}"#
    #expect(try COCOGroundTruth(json: Array(text.utf8)).images.count == 1)
    let index = try COCOIndex(
      instances: Array(text.replacing(#""id": 1}"#, with: #""id": 1, "file_name": "a"}"#).utf8),
      name: "i.json")
    #expect(index.images == ["a": 1])
  }

  static func detections(_ text: String) throws -> COCODetections {
    var detections = COCODetections(groundTruth: try truth())
    try detections.read(json: Array(text.utf8))
    return detections
  }

  @Test(arguments: [
    BadCase(
      "", .notJSON,
      "The text of the detections is not JSON: expected an array of detections, but the text ends at line 1, column 1, byte 0"
    ),
    BadCase(
      "[7]", .invalidDetections,
      "The text of the detections: an element of the detections is not an object at line 1, column 2, byte 1"),
    BadCase(
      "[{}]", .invalidDetections,
      "The text of the detections, detection 1, before line 1, column 4, byte 3: there is no image_id"),
    BadCase(
      #"{"annotations":[{"id":4,"image_id":1,"category_id":1,"bbox":[1,2,3,4]}]}"#, .invalidDetections,
      "The text of the detections: annotation 4 has no score, like an annotation of ground truth"),
    BadCase(
      #"{"annotations":[{"id":4,"image_id":1,"category_id":1,"bbox":[1,2,3,4],"score":1}],"images":[{"id":1}]}"#,
      .invalidDetections,
      "The text of the detections: annotation 4 is on the image 1, which has no file_name"),
    BadCase(
      #"{"annotation":[{"id":4}],"images":[{"id":1}]}"#, .invalidDetections,
      "The text of the detections: COCO files have no member 'annotation', which is at line 1, column 15, byte 14; did you mean 'annotations'?"
    ),
    BadCase(
      #"{"image":[{"id":1}],"annotations":[]}"#, .invalidDetections,
      "The text of the detections: COCO files have no member 'image', which is at line 1, column 10, byte 9; did you mean 'images'?"
    ),
    BadCase(
      #"{"annotations":[],"images":[{"id":1}],"annotations":[]}"#, .invalidDetections,
      "The text of the detections: the member 'annotations' occurs twice at line 1, column 53, byte 52"),
    BadCase(
      #"{"image":"b.jpg","objects":[],"objects":[]}"#, .invalidDetections,
      "The text of the detections: the member 'objects' occurs twice at line 1, column 41, byte 40"),
    BadCase(
      #"[{"image_id":7,"category_id":2,"bbox":[1,2,3,4]}]"#, .invalidDetections,
      "The text of the detections, detection 1, before line 1, column 49, byte 48: there is no score"),
    BadCase(
      #"[{"image_id":7,"category_id":2,"bbox":[1,2,3,-4],"score":1}]"#, .invalidDetections,
      "The text of the detections, detection 1, before line 1, column 60, byte 59: bbox [1, 2, 3, -4] has a negative height"
    ),
    BadCase(
      #"[{"image_id":7,"category_id":2,"bbox":[1,2,3,1e999],"score":1}]"#, .invalidDetections,
      "The text of the detections, detection 1, before line 1, column 63, byte 62: bbox [1, 2, 3, inf] has a number that is not finite or too large"
    ),
    BadCase(
      #"[{"image_id":7,"category_id":2,"bbox":[1,2,3,NaN],"score":1}]"#, .notJSON,
      "The text of the detections is not JSON: a number of bbox is NaN or Infinity, which JSON does not have, at line 1, column 46, byte 45"
    ),
    BadCase(
      #"[{"image_id":7,"category_id":2,"bbox":[1,2,3,4],"score":null}]"#, .invalidDetections,
      "The text of the detections: score is null at line 1, column 57, byte 56; a number is needed"),
    BadCase(
      #"[{"image_id":7.5}]"#, .invalidDetections,
      "The text of the detections: image_id is not a whole number at line 1, column 17, byte 16"),
    BadCase(
      #"[{"image_id":7,"bbox":[1,2,3,4,5]}]"#, .invalidDetections,
      "The text of the detections: bbox has more than four numbers at line 1, column 31, byte 30"),
    BadCase(
      #"{"image":"b.jpg","space":"upright","objects":[]}"#, .invalidDetections,
      "The text of the detections, record 1, has boxes in the upright photo"),
  ])
  func `a file that is not a list of detections is an error`(_ test: BadCase) {
    let error = #expect(throws: EvaluationError.self) { try Self.detections(test.text) }
    #expect(error?.code == test.code)
    #expect(error?.message == test.message)
  }

  @Test func `a name of two categories is an error if detections name categories`() throws {
    let truth = try COCOGroundTruth(
      images: [.init(id: 1, fileName: "a.jpg")],
      categories: [.init(id: 1, name: "cat"), .init(id: 4, name: "cat")], annotations: [])
    var detections = COCODetections(groundTruth: truth)
    try detections.read(json: Array(#"[{"image_id":1,"category_id":4,"bbox":[1,2,3,4],"score":1}]"#.utf8))
    #expect(detections.count == 1)
    let record = #"""
      {"image": "a.jpg", "objects": [{"box": {"x": 0, "y": 0, "width": 9, "height": 9}, "score": 1,
       "labels": [{"text": "cat"}]}]}
      """#
    let error = #expect(throws: EvaluationError.self) { try detections.read(json: Array(record.utf8)) }
    #expect(
      error?.message
        == "The ground truth's categories 1 and 4 are both named 'cat', and the detections name categories")
  }

  @Test(arguments: [("voc", " in the form of Pascal VOC"), ("yolo", " in the form of YOLO"), ("x", "")])
  func `a folder is not ground truth`(_ name: String, _ form: String) throws {
    let folder = try TemporaryFolder()
    for file in ["voc/1.xml", "yolo/classes.txt", "yolo/labels/1.txt", "x/y"] { try folder.write(file, "") }
    let error = #expect(throws: EvaluationError.self) { try COCOGroundTruth(path: folder[name]) }
    #expect(
      error?.message
        == "'\(folder[name])' is a folder\(form); ground truth must be a COCO instances file")
    #expect(error?.code == .invalidGroundTruth)
  }

  static func header(_ kind: AnswerKind) -> String {
    var writer = CSVWriter(kind: kind)
    return writer.header()
  }

  @Test(arguments: [
    ("a.jsonl", #"{"image": "a.jpg", "objects": []}"# + "\n" + #"{"image": "b.jpg", "objects": []}"#, "JSON"),
    ("a.json", #"[{"image": "a.jpg", "objects": []}]"#, "JSON"),
    ("a.csv", header(.objects), "CSV"),
    ("saved.csv", header(.labels).replacing(",", with: ";"), "CSV"),
    ("frames.csv", FrameCSVWriter().header(), "CSV"),
  ])
  func `results of Fovea are not a ground truth`(_ name: String, _ text: String, _ form: String) throws {
    let folder = try TemporaryFolder()
    let path = try folder.write(name, text)
    let error = #expect(throws: EvaluationError.self) { try COCOGroundTruth(path: path) }
    #expect(
      error?.message == "'\(path)' has results in \(form); ground truth must be a COCO instances file")
    #expect(error?.code == .invalidGroundTruth)
  }

  @Test(arguments: [("a.json", "[]"), ("b.json", #"{"images": []}"#), ("c.txt", "1,2,3\n"), ("d", "")])
  func `other files are not mistaken for results`(_ name: String, _ text: String) throws {
    let folder = try TemporaryFolder()
    let path = try folder.write(name, text)
    let error = #expect(throws: EvaluationError.self) { try COCOGroundTruth(path: path) }
    #expect(error?.message.contains("has results") == false)
  }

  @Test func `unknown ids are rejected with their number and the first of them`() throws {
    let text = #"""
      [{"image_id":8,"category_id":2,"bbox":[1,2,3,4],"score":1},
       {"image_id":9,"category_id":2,"bbox":[1,2,3,4],"score":1},
       {"image_id":7,"category_id":1,"bbox":[1,2,3,4],"score":1}]
      """#
    let truth = try Self.truth()
    let detections = try Self.detections(text)
    #expect(detections.count == 0)
    let error = #expect(throws: EvaluationError.self) {
      try DetectionEvaluator(groundTruth: truth).evaluate(detections)
    }
    #expect(error?.code == .unknownIDs)
    #expect(
      error?.message
        == "2 detections are on images that the ground truth does not list (id 8, id 9), and 1 detection is of "
        + "a category that it does not list (id 1)")
    let other = #"[{"image_id":7,"category_id":1,"bbox":[1,2,3,4],"score":1}]"#
    let category = #expect(throws: EvaluationError.self) {
      try DetectionEvaluator(groundTruth: truth).evaluate(Self.detections(other))
    }
    #expect(category?.message == "1 detection is of a category that the ground truth does not list (id 1)")
    var options = DetectionEvaluator.Options()
    options.unknownIDs = .leaveOut
    let report = try DetectionEvaluator(groundTruth: truth, options: options).evaluate(detections)
    #expect(report.leftOut == 3)
    #expect(report.metrics.averagePrecision == 0)
  }

  static let found = #"""
    {"image": "photos/b.jpg", "width": 1, "objects": [{"box": {"x": 10, "y": 20, "width": 30, "height": 40},
      "score": 0.5, "trackingID": null, "labels": [{"text": "cat", "index": 0}, {"text": "hot dog"}]}]}
    {"image": "c.jpg", "error": {"code": "x"}}
    """#

  @Test func `results of fovea detect are read by file name and label`() throws {
    let found = Self.found
    let array = "[" + found.replacing("}\n{\"image", with: "},\n{\"image") + "]"
    for text in [found, array] {
      let truth = try Self.truth()
      let detections = try Self.detections(text)
      #expect(detections.count == 1)
      #expect(detections.failedImages == 1)
      let report = try DetectionEvaluator(groundTruth: truth).evaluate(detections)
      try #require(!report.categories.isEmpty)
      #expect(report.categories[0].metrics.averagePrecision.map { abs($0 - 1) < 1e-12 } == true)
    }
  }

  @Test(arguments: [
    #"{"image": "val/a.jpg", "objects": []} {"image": "train/b.jpg", "objects": []}"#,
    #"""
    {"images": [{"id": 1, "file_name": "val/a.jpg"}, {"id": 2, "file_name": "train/b.jpg"}],
     "categories": [{"id": 1, "name": "cat"}],
     "annotations": [{"id": 1, "image_id": 1, "category_id": 1, "bbox": [0, 0, 1, 1], "score": 1},
      {"id": 2, "image_id": 1, "category_id": 1, "bbox": [0, 0, 2, 2], "score": 1},
      {"id": 3, "image_id": 2, "category_id": 1, "bbox": [0, 0, 1, 1], "score": 1}]}
    """#,
  ])
  func `images found only by their file names are counted`(_ text: String) throws {
    let truth = try COCOGroundTruth(
      json: Array(
        #"""
        {"images": [{"id": 4, "file_name": "/data/train/a.jpg"}, {"id": 5, "file_name": "/data/train/b.jpg"}],
         "categories": [{"id": 1, "name": "cat"}], "annotations": []}
        """#.utf8))
    var detections = COCODetections(groundTruth: truth)
    try detections.read(json: Array(text.utf8))
    #expect(detections.imagesByName == [0] && detections.unknownImages == 0)
  }

  /// Two ground-truth images, "/data/a/1.jpg" and "2.jpg".
  static func folders() throws -> COCODetections {
    let text = #"""
      {"images": [{"id": 1, "file_name": "/data/a/1.jpg"}, {"id": 2, "file_name": "2.jpg"}],
       "categories": [{"id": 1, "name": "cat"}], "annotations": []}
      """#
    return COCODetections(groundTruth: try COCOGroundTruth(json: Array(text.utf8)))
  }

  /// Records, and a complete COCO file, with a box on each image.
  static func files(_ images: [String]) -> [String] {
    let labels = #"[{"text": "cat"}]"#
    let box = #"{"box": {"x": 0, "y": 0, "width": 4, "height": 4}, "score": 0.5, "labels": \#(labels)}"#
    let records = images.map { #"{"image": "\#($0)", "objects": [\#(box)]}"# }
    let listed = images.enumerated().map { #"{"id": \#($0.offset), "file_name": "\#($0.element)"}"# }
    let annotations = images.indices.map {
      #"{"id": 1, "image_id": \#($0), "category_id": 1, "bbox": [0, 0, 4, 4], "score": 0.5}"#
    }
    let dataset =
      #"{"images": [\#(listed.joined(separator: ","))], "categories": [{"id": 1, "name": "cat"}], "#
      + #""annotations": [\#(annotations.joined(separator: ","))]}"#
    return [records.joined(separator: "\n"), dataset]
  }

  @Test(
    arguments: [
      (["a/1.jpg", "b/1.jpg"], 1, 1, 0), (["b/1.jpg", "c/1.jpg", "2.jpg", "a/1.jpg"], 2, 2, 0),
      (["b/1.jpg", "./b/1.jpg", "b/2.jpg"], 3, 0, 1), (["x/b/1.jpg", "/mine/a/1.jpg", "x/b/1.jpg"], 1, 2, 0),
    ] as [([String], Int, Int, Int)])
  func `among images with one name the one with the longest matching path counts`(
    _ images: [String], _ count: Int, _ unknown: Int, _ byName: Int
  ) throws {
    for text in Self.files(images) {
      var detections = try Self.folders()
      try detections.read(json: Array(text.utf8))
      #expect(detections.count == count && detections.unknownImages == unknown)
      #expect(detections.imagesByName.count == byName)
    }
  }

  @Test(arguments: [
    (["a/2.jpg", "b/2.jpg"], "'a/2.jpg' and 'b/2.jpg' may both be '2.jpg' of the ground truth"),
    (["2.jpg", "a/1.jpg", "b/2.jpg"], "'2.jpg' and 'b/2.jpg' may both be '2.jpg' of the ground truth"),
    (["b/1.jpg", "c/1.jpg"], "'b/1.jpg' and 'c/1.jpg' may both be '/data/a/1.jpg' of the ground truth"),
  ])
  func `detections of two folders are not put on one image`(_ images: [String], _ reason: String) throws {
    for text in Self.files(images) {
      var detections = try Self.folders()
      let error = #expect(throws: EvaluationError.self) { try detections.read(json: Array(text.utf8)) }
      #expect(error?.message == "The text of the detections: \(reason)")
      #expect(error?.code == .invalidDetections)
    }
  }

  @Test func `other labels count if categories are ignored`() throws {
    let truth = try Self.truth()
    let text = Self.found.replacing("\"cat\"", with: "\"Home good\"")
    #expect(try Self.detections(text).unknownCategories == 1)
    var detections = COCODetections(groundTruth: truth)
    detections.takesAnyLabel = true
    try detections.read(json: Array(text.utf8))
    #expect(detections.count == 1)
  }

  @Test func `no damaged file crashes`() throws {
    let results = #"[{"image_id":7,"category_id":2,"bbox":[1,2.5,3e1,4],"score":0.875}]"#
    let truth = try Self.truth()
    var random = SeededGenerator(seed: 2)
    for text in [Self.instances, Self.found, results] {
      let text = Array(text.utf8)
      for _ in 0..<1_000 {
        var damaged = text
        for _ in 0..<(1 + random.below(3)) {
          damaged[random.below(damaged.count)] = text[random.below(text.count)]
        }
        if let other = try? COCOGroundTruth(json: damaged) {
          _ = try DetectionEvaluator(groundTruth: other).evaluate(COCODetections(groundTruth: other))
        }
        var detections = COCODetections(groundTruth: truth)
        try? detections.read(json: damaged)
        #expect(detections.count <= 1)
      }
    }
  }

  @Test func `a missing file is an error`() {
    let error = #expect(throws: EvaluationError.self) { try COCOGroundTruth(path: "/nonexistent/i.json") }
    #expect(error?.code == .unreadable)
    #expect(error?.message == "'/nonexistent/i.json' cannot be read: No such file or directory")
    #expect(throws: EvaluationError.self) { try COCOGroundTruth(path: "/") }
  }
}
