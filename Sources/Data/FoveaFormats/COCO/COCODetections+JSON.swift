// SPDX-License-Identifier: Apache-2.0

import FoveaCore
public import FoveaEvaluation

extension COCODetections {
  /// Adds the detections of a file, or of a folder with one file per image.
  ///
  /// Reads COCO results (an array of objects with `image_id`, `category_id`, `score`, and `bbox`,
  /// `segmentation` or `keypoints`) and every format that `fovea detect` writes except text: `json`, `jsonl`,
  /// `csv`, complete COCO files, and folders of `voc` and of `yolo` with scores. In these, images are matched
  /// by file name and categories by the first label's text; if two paths match one image, the path with more
  /// matching components is used, and the other counts as an image outside the ground truth. COCO results and
  /// JSON records may have any size because they are read in pieces; the lists of a complete COCO file are
  /// held in memory, and so is input from a pipe. Masks are read if ``readsMasks`` is true, from JSON, COCO
  /// and folders of YOLO.
  /// - Throws: `EvaluationError` `unreadable`, `notJSON`, `invalidLine` or `invalidDetections`.
  public mutating func read(path: String) throws(EvaluationError) {
    let input = try ResultInput(path: path)
    guard [.csv, .frameCSV, .voc, .yolo].contains(input.kind) else {
      return try read { () throws(JSONFailure) in try input.json() }
    }
    var elements = DetectionReader(groundTruth)
    var found = self
    try RecordFile.read(input, scores: .needed, readsMasks: readsMasks) {
      elements.read($0, name: input.name, into: &found)
    }
    try elements.finish(input.name, into: &found)
    self = found
  }

  /// Adds the detections of JSON text in the same formats.
  /// - Throws: `EvaluationError` `notJSON` or `invalidDetections`.
  public mutating func read(json: [UInt8]) throws(EvaluationError) {
    try read { JSONReader(bytes: json, name: "The text of the detections") }
  }

  private mutating func read(_ open: () throws(JSONFailure) -> JSONReader) throws(EvaluationError) {
    if let parts = try dataset(open) { return try add(parts) }
    var elements = DetectionReader(groundTruth, readsMasks: readsMasks)
    var name = ""
    do throws(JSONFailure) {
      var reader = try open()
      name = reader.name
      try reader.elements("detections") { (reader) throws(JSONFailure) in
        elements.read(try ElementJSON(&reader, readsMasks: readsMasks), reader, into: &self)
        return elements.failure == nil
      }
    } catch {
      throw EvaluationError(error)
    }
    try elements.finish(name, into: &self)
  }

  /// Returns the lists of a complete COCO file; nil for a file of another form.
  private func dataset(_ open: () throws(JSONFailure) -> JSONReader) throws(EvaluationError)
    -> InstancesParts?
  {
    do throws(JSONFailure) {
      var first = try open()
      guard try first.beginsDataset() else { return nil }
      var reader = try open()
      return try InstancesParts(&reader, readsMasks: readsMasks)
    } catch {
      throw EvaluationError(error)
    }
  }
}
