// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Fovea
import FoveaFormats
import FoveaTesting
import Testing

@testable import FoveaCLI

@Suite struct EvaluateDetectionTests {
  static let instances = """
    {"images": [{"id": 1, "file_name": "a.jpg"}], "categories": [{"id": 1, "name": "cat"}, {"id": 2, "name": "dog"}],
     "annotations": [{"id": 1, "image_id": 1, "category_id": 1, "bbox": [0, 0, 50, 50], "area": 2500, "iscrowd": 0}]}
    """
  static let found = #"[{"image_id": 1, "category_id": 1, "bbox": [0, 0, 50, 40], "score": 0.9}]"#

  /// The printed text, the notes, or the error.
  static func run(
    _ options: [String] = [], instances: String = instances, detections: String = found
  ) throws -> (text: String, notes: [String]) {
    let folder = try TemporaryFolder()
    try folder.write("i.json", instances)
    try folder.write("d.json", detections)
    let arguments = ["--ground-truth", folder["i.json"], "--detections", folder["d.json"]] + options
    let command = try #require(
      try FoveaCommand.parseAsRoot(["evaluate", "detection"] + arguments) as? EvaluateDetectionCommand)
    do throws(FoveaError) {
      let (report, notes) = try command.evaluate()
      return (command.text(of: report), notes)
    } catch {
      var error = error
      error.message = error.message.replacing(folder.path + "/", with: "")
      throw error
    }
  }

  @Test func `the table has twelve figures and the categories`() throws {
    let (text, notes) = try Self.run()
    #expect(notes.isEmpty)
    #expect(
      text == """
        1 image, 1 object, 1 detection, 2 categories

        AP        0.7000  IoU 0.50:0.95
        AP50      1.0000  IoU 0.50
        AP75      1.0000  IoU 0.75
        APsmall        –  up to 32² pixels
        APmedium  0.7000  32² to 96² pixels
        APlarge        –  from 96² pixels
        AR1       0.7000  1 detection per image and category
        AR10      0.7000  10 detections
        AR100     0.7000  100 detections
        ARsmall        –  up to 32² pixels
        ARmedium  0.7000  32² to 96² pixels
        ARlarge        –  from 96² pixels

        category      AP    AP50    AP75   AR100  objects  crowds  detections
        cat       0.7000  1.0000  1.0000  0.7000        1       0           1
        dog            –       –       –       –        0       0           0

        """)
  }

  @Test func `options change the table`() throws {
    let (text, _) = try Self.run(["--no-per-class", "--iou", "0.75,0.9"])
    #expect(
      text.contains("AP        0.5000  IoU 0.75, 0.9\nAP50           –  IoU 0.50\nAP75      1.0000  IoU 0.75")
    )
    #expect(!text.contains("category "))
    #expect(
      try Self.run(["--class-agnostic"]).text.hasPrefix(
        "1 image, 1 object, 1 detection, categories ignored"))
  }

  @Test func `the JSON has all figures`() throws {
    let (text, _) = try Self.run(["--json", "--iou", "0.5"])
    let metrics =
      #"{"AP": 0.9999999999999999, "AP50": 0.9999999999999999, "AP75": null, "APsmall": null, "APmedium": 0.9999999999999999, "APlarge": null, "AR1": 1.0, "#
      + #""AR10": 1.0, "AR100": 1.0, "ARsmall": null, "ARmedium": 1.0, "ARlarge": null}"#
    let none =
      #"{"AP": null, "AP50": null, "AP75": null, "APsmall": null, "APmedium": null, "APlarge": null, "AR1": null, "#
      + #""AR10": null, "AR100": null, "ARsmall": null, "ARmedium": null, "ARlarge": null}"#
    #expect(
      text
        == #"{"images": 1, "groundTruth": 1, "crowds": 0, "detections": 1, "leftOut": 0, "classAgnostic": false, "#
        + #""iou": [0.5], "metrics": "# + metrics
        + #", "categories": [{"id": 1, "name": "cat", "groundTruth": 1, "#
        + #""crowds": 0, "detections": 1, "metrics": "# + metrics
        + #"}, {"id": 2, "name": "dog", "groundTruth": 0, "crowds": 0, "detections": 0, "metrics": "# + none
        + "}]}\n")
  }

  static let masks = instances.replacing(
    #""iscrowd": 0"#, with: #""segmentation": {"size": [60, 50], "counts": [0, 50, 10, 50, 10, 50, 2830]}"#)

  @Test func `masks are compared on request`() throws {
    // The ground truth has three columns of 50 pixels, the detection the first two and a half.
    let found = Self.found.replacing(
      #""score""#,
      with: #""segmentation": {"size": [60, 50], "counts": [0, 50, 10, 50, 10, 25, 2855]}, "score""#)
    let (text, notes) = try Self.run(["--iou", "masks"], instances: Self.masks, detections: found)
    #expect(notes.isEmpty)
    // An overlap of 125 of 150 pixels reaches the first seven thresholds.
    #expect(text.contains("\nAP        0.7000  mask IoU 0.50:0.95\nAP50      1.0000  mask IoU 0.50\n"))
    let (json, _) = try Self.run(
      ["--iou", "masks,0.8,0.9", "--json"], instances: Self.masks, detections: found)
    #expect(
      json.contains(
        #""classAgnostic": false, "shape": "masks", "iou": [0.8, 0.9], "metrics": {"AP": 0.49999999999"#))
    let (boxes, _) = try Self.run(["--iou", "boxes,0.75"], instances: Self.masks, detections: found)
    #expect(boxes.contains("\nAP        1.0000  IoU 0.75\n"))
  }

  struct NoteCase: CustomTestStringConvertible {
    var testDescription: String
    var options: [String] = []
    var instances = EvaluateDetectionTests.instances
    var detections = EvaluateDetectionTests.found
    var notes: [String]
  }

  @Test(arguments: [
    NoteCase(
      testDescription: "no detections", detections: "[]",
      notes: ["there are no detections, so nothing was found"]),
    NoteCase(
      testDescription: "unknown ids", options: ["--ignore-unknown"],
      detections: found.dropLast()
        + #",{"image_id":9,"category_id":1,"bbox":[0,0,1,1],"score":1},{"image_id":1,"category_id":9,"bbox":[0,0,1,1],"score":1}]"#,
      notes: [
        "1 detection on an image that is not in the ground truth, left out",
        "1 detection of a category that is not in the ground truth, left out",
      ]),
    NoteCase(
      testDescription: "a ground truth of more images",
      instances: instances.replacing(
        "\"a.jpg\"}", with: "\"a.jpg\"}" + (2...10).map { ", {\"id\": \($0)}" }.joined()),
      notes: [
        "9 of 10 images of the ground truth have no detections, so their objects count as not found; to "
          + "evaluate some images, remove the others from the ground truth"
      ]),
    NoteCase(
      testDescription: "an id of 0",
      instances: instances.replacing("[{\"id\": 1, \"image_id\"", with: "[{\"id\": 0, \"image_id\""),
      notes: ["an annotation has the id 0, which counts as never found, as in pycocotools; number from 1"]),
    NoteCase(
      testDescription: "no objects", instances: #"{"images":[{"id":1}],"categories":[{"id":1}]}"#,
      notes: ["the ground truth has no objects, so there are no figures"]),
    NoteCase(
      testDescription: "boxes as masks", options: ["--iou", "masks"], instances: masks,
      notes: ["1 detection has no mask; with --iou masks its box is compared as a mask"]),
    NoteCase(
      testDescription: "an image of another folder",
      instances: instances.replacing("\"a.jpg\"", with: "\"/data/train/a.jpg\""),
      detections:
        #"{"image":"val/a.jpg","objects":[{"box":{"x":0,"y":0,"width":9,"height":9},"score":1,"labels":[{"text":"cat"}]}]}"#,
      notes: ["1 image was matched by file name only; its folder differs in the ground truth"]),
    NoteCase(
      testDescription: "a photo upside down",
      detections:
        #"{"image":"a.jpg","width":90,"height":60,"orientation":"down","space":"upright","objects":[{"box":{"x":0,"y":0,"width":9,"height":9},"score":1,"labels":[{"text":"cat"}]}]}"#,
      notes: [
        "1 rotated photo may be upright or stored in the ground truth, whose sizes do not show it; compared as "
          + "stored, so for an upright one detect with --upright --format coco"
      ]),
    NoteCase(
      testDescription: "a failed image",
      detections: #"{"image":"a.jpg","error":{"code":"x"}}"#,
      notes: [
        "1 image failed in fovea detect; its objects count as not found",
        "there are no detections, so nothing was found",
      ]),
  ])
  func `anything noteworthy is printed`(_ test: NoteCase) throws {
    let outcome = try Self.run(test.options, instances: test.instances, detections: test.detections)
    #expect(outcome.notes == test.notes)
  }

  @Test func `errors name the file and the line`() throws {
    let error = #expect(throws: FoveaError.self) { try Self.run(detections: "[{\"image_id\": 1,\n}]") }
    #expect(error?.code.rawValue == "evaluation-not-json")
    #expect(
      error?.message
        == "'d.json' is not JSON: a key is expected, found '}' at line 2, column 1, byte 17")
    let unknown = #expect(throws: FoveaError.self) {
      try Self.run(detections: Self.found.replacing("\"image_id\": 1", with: "\"image_id\": 4"))
    }
    #expect(unknown?.code.rawValue == "evaluation-unknown-ids")
  }

  @Test(arguments: ["", "x", "0", "0.5,", "0.9,0.5", "2", "nan", "masks,", "0.5,masks", "masks,2", "Masks"])
  func `impossible overlaps are a usage error`(_ iou: String) {
    #expect(throws: (any Error).self) {
      try FoveaCommand.parseAsRoot([
        "evaluate", "detection", "--ground-truth", "a", "--detections", "b", "--iou", iou,
      ])
    }
  }
}
