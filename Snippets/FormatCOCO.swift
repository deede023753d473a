// SPDX-License-Identifier: Apache-2.0
//
// Writes your own COCO data set, and COCO results with the ids of another, and reads both.
//
//     swift run FormatCOCO

import Fovea
import FoveaEvaluation
import FoveaFormats

let cat = DetectedObject(
  box: BoundingBox(x: 10, y: 20, width: 30.5, height: 40), score: 0.9,
  labels: [Label(text: "cat", index: 1, confidence: 0.9)])
let record = DetectionRecord(
  image: "cat.jpg",
  result: .success(
    DetectionRecord.Findings(
      size: PixelSize(width: 640, height: 480), orientation: .up, content: .objects([cat]))))

// Images, annotations with scores, and categories: the input of labeling tools.
var dataset = COCODatasetWriter(classNames: ["person", "cat"])
let instances = Array(dataset.text(of: [record]).utf8)
print(String(decoding: instances, as: UTF8.self))

// Boxes with the ids of an instances file: the input of evaluators.
let index = try COCOIndex(instances: instances, name: "instances.json")
var writer = COCOWriter(index: index)
let results = writer.text(of: [record])
for note in writer.notes { print(note) }

let truth = try COCOGroundTruth(json: instances)
var detections = COCODetections(groundTruth: truth)
try detections.read(json: Array(results.utf8))
print("\(detections.count) detection on \(truth.images.count) image")
