// SPDX-License-Identifier: Apache-2.0

import FoveaErrors

/// Reads one element of a file of detections: COCO's results, or a record of `fovea detect`.
struct DetectionReader {
  private static let imageID = JSONKey("image_id")
  private static let categoryID = JSONKey("category_id")
  private static let bbox = JSONKey("bbox")
  private static let score = JSONKey("score")
  private static let image = JSONKey("image")
  private static let objects = JSONKey("objects")
  private static let error = JSONKey("error")
  private static let space = JSONKey("space")

  private let names: GroundTruthNames
  private var objects = FoveaObjectReader()
  /// How many elements were read.
  private var number = 0

  init(_ groundTruth: COCOGroundTruth) { names = GroundTruthNames(groundTruth) }

  /// The opening brace is taken already.
  mutating func read(
    _ reader: inout JSONReader, into detections: inout COCODetections
  ) throws(EvaluationError) {
    number += 1
    var imageID: Int?
    var categoryID: Int?
    var box: COCOBox?
    var score: Double?
    var image: String?
    var record = Record.coco
    var isFirst = true
    while let key = try reader.nextKey(&isFirst) {
      switch key {
      case DetectionReader.imageID: imageID = try reader.identifier("image_id")
      case DetectionReader.categoryID: categoryID = try reader.identifier("category_id")
      case DetectionReader.bbox: box = try reader.box()
      case DetectionReader.score: score = try reader.double("score")
      case DetectionReader.image: image = try reader.optionalString()
      case DetectionReader.objects:
        record = .objects
        try objects.read(&reader)
      case DetectionReader.error where image != nil:
        record = .failure
        try reader.skip()
      case DetectionReader.space: try checkSpace(&reader)
      default: try reader.skip()
      }
    }
    if let image, record != .coco {
      if record == .failure { detections.failedImages += 1 }
      if record == .objects { try add(objects.found, of: image, reader, to: &detections) }
      return
    }
    guard let imageID, let categoryID, let box, let score else {
      let missing =
        imageID == nil ? "image_id" : categoryID == nil ? "category_id" : box == nil ? "bbox" : "score"
      throw missingField(missing, reader)
    }
    try check(box, score, reader)
    guard let image = detections.groundTruth.imageIndexes[imageID] else {
      return detections.countUnknownImage("id \(imageID)")
    }
    guard let category = detections.groundTruth.categoryIndexes[categoryID] else {
      return detections.countUnknownCategory("id \(categoryID)")
    }
    detections.add(image: image, category: category, box: box, score: score)
  }

  /// What kind of element it is.
  private enum Record { case coco, objects, failure }

  private func add(
    _ found: [FoveaObjectReader.Object], of image: String, _ reader: borrowing JSONReader,
    to detections: inout COCODetections
  ) throws(EvaluationError) {
    let index = names.imageIndex(of: image)
    for object in found {
      try check(object.box, object.score, reader)
      guard let index else {
        detections.countUnknownImage("'\(image)'")
        continue
      }
      guard let category = names.categoryIndex(of: object.label) ?? (detections.takesAnyLabel ? 0 : nil)
      else {
        detections.countUnknownCategory(object.label.map { "'\($0)'" } ?? "no label")
        continue
      }
      detections.add(image: index, category: category, box: object.box, score: object.score)
    }
  }

  private func check(
    _ box: COCOBox, _ score: Double, _ reader: borrowing JSONReader
  ) throws(EvaluationError) {
    guard let problem = box.problem ?? COCODetections.problem(score: score) else { return }
    throw EvaluationError(
      .invalidDetections, "\(reader.name), detection \(number), before \(reader.place): \(problem)",
      remedy: COCODetections.boxRemedy)
  }

  private func checkSpace(_ reader: inout JSONReader) throws(EvaluationError) {
    guard try reader.optionalString() != "stored" else { return }
    throw EvaluationError(
      .invalidDetections, "\(reader.name), record \(number), has boxes in the upright photo",
      remedy: "Detect again without \(term: .uprightBoxes); the ground truth is in stored pixels")
  }

  private func missingField(_ field: String, _ reader: borrowing JSONReader) -> EvaluationError {
    EvaluationError(
      .invalidDetections, "\(reader.name), detection \(number), before \(reader.place): there is no \(field)",
      remedy: "Each detection needs image_id, category_id, bbox and score")
  }
}
