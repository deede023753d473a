// SPDX-License-Identifier: Apache-2.0

import FoveaCore
import FoveaEvaluation

extension JSONReader {
  private static let datasetKeys = ["info", "licenses", "images", "annotations", "categories"].map {
    JSONKey($0)
  }

  /// Whether the text is a complete COCO file, judged by its first member, which may be misspelt; consumes
  /// the reader.
  mutating func beginsDataset() throws(JSONFailure) -> Bool {
    guard try peek() == UInt8(ascii: "{"), try take(UInt8(ascii: "{")) else { return false }
    var isFirst = true
    guard let key = try nextKey(&isFirst) else { return false }
    if JSONReader.datasetKeys.contains(key) { return true }
    return try beginsDatasetList()
  }
}

extension JSONReader {
  private static let image = JSONKey("image")

  /// Whether the text has records, judged by the first member of the first object; consumes the reader.
  mutating func beginsRecords() throws(JSONFailure) -> Bool {
    if try peek() == UInt8(ascii: "[") { _ = try take(UInt8(ascii: "[")) }
    guard try peek() == UInt8(ascii: "{"), try take(UInt8(ascii: "{")) else { return false }
    var isFirst = true
    guard try nextKey(&isFirst) == JSONReader.image else { return false }
    return try !beginsDatasetList()
  }
}

extension COCODetections {
  /// Adds the annotations of a complete COCO file as detections, as `COCODatasetWriter` writes them.
  ///
  /// The file has its own ids, so images are matched by file name and categories by name.
  mutating func add(_ parts: InstancesParts) throws(EvaluationError) {
    var names = GroundTruthNames(groundTruth)
    let images = Dictionary(parts.images.map { ($0.id, $0) }) { $1 }
    let categories = Dictionary(parts.categories.map { ($0.id, $0.name) }) { $1 }
    let sizes = readsMasks ? try? groundTruth.maskSizes() : nil
    for (row, (annotation, score)) in zip(parts.annotations, parts.scores).enumerated() {
      guard let score else {
        throw EvaluationError(
          .invalidDetections,
          "\(parts.name): annotation \(annotation.id) has no score, like an annotation of ground truth",
          remedy: "Name a file of detections, in which each annotation has a score")
      }
      if let problem = annotation.box.problem ?? COCODetections.problem(score: score) {
        throw EvaluationError(
          .invalidDetections, "\(parts.name), annotation \(annotation.id): \(problem)",
          remedy: COCODetections.boxRemedy)
      }
      guard let entry = images[annotation.imageID], let image = entry.fileName else {
        throw EvaluationError(
          .invalidDetections,
          "\(parts.name): annotation \(annotation.id) is on the image \(annotation.imageID), "
            + "which has no file_name",
          remedy: "List the image with its file_name")
      }
      guard let index = names.imageIndex(of: image, in: self) else {
        countUnknownImage("'\(image)'")
        continue
      }
      do throws(BoxSpace.Mismatch) {
        try BoxSpace(size: entry.size).check(against: groundTruth.images[index].size)
      } catch {
        throw error.error(parts.name, "", image: image)
      }
      let label = categories[annotation.categoryID]
      guard let category = try names.categoryIndex(of: label, takesAny: takesAnyLabel) else {
        countUnknownCategory(label.map { "'\($0)'" } ?? "id \(annotation.categoryID)")
        continue
      }
      if let mask = annotation.mask, let size = sizes?[index], mask.size != size {
        throw EvaluationError(
          .invalidDetections,
          "\(parts.name), annotation \(row + 1) (id \(annotation.id)), before \(parts.places[row]): "
            + "segmentation: 'size' is [\(mask.size.height), \(mask.size.width)]; the ground truth's image "
            + "has [\(size.height), \(size.width)]",
          remedy: "Use masks in the pixels of the ground truth's image")
      }
      add(
        image: index, category: category, box: annotation.box, score: score, mask: annotation.mask,
        keypoints: annotation.keypoints.map(\.point))
    }
    try names.finish(parts.name, into: &self)
  }
}
