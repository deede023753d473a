// SPDX-License-Identifier: Apache-2.0

import FoveaErrors
public import FoveaEvaluation
import FoveaSystem

extension COCODetections {
  /// Adds the detections of a file, or of a folder with a file for each image.
  ///
  /// Read are COCO results (an array of objects with `image_id`, `category_id`, `bbox` and `score`), and everything that
  /// `fovea detect` writes but text: `json`, `jsonl`, `csv`, a whole COCO file of its own, and folders of `voc` and of
  /// `yolo` with scores. In these, images are found by their file names and categories by the first label's text. COCO
  /// results and records of JSON may have any size, as they are read piece by piece; the lists of a whole COCO file are held in
  /// memory.
  /// - Throws: `EvaluationError` `unreadable`, `notJSON`, `invalidLine` or `invalidDetections`.
  public mutating func read(path: String) throws(EvaluationError) {
    let kind = try ResultKind(path: path)
    guard [.csv, .frameCSV, .voc, .yolo].contains(kind) else {
      // A pipe can be read once.
      let isFile = FileStatus(FilePath(path))?.kind == .file
      return try read(mayBeDataset: isFile) { () throws(JSONFailure) in try JSONReader.file(path) }
    }
    var elements = DetectionReader(groundTruth)
    var found = self
    try RecordFile.read(path: path, as: kind, needsScores: true) {
      elements.read($0, name: "'\(path)'", into: &found)
    }
    if let failure = elements.failure { throw failure }
    self = found
  }

  /// Adds the detections of a text of the same formats.
  /// - Throws: `EvaluationError` `notJSON` or `invalidDetections`.
  public mutating func read(json: [UInt8]) throws(EvaluationError) {
    try read(mayBeDataset: true) { JSONReader(bytes: json, name: "The detections") }
  }

  private mutating func read(
    mayBeDataset: Bool, _ open: () throws(JSONFailure) -> JSONReader
  ) throws(EvaluationError) {
    if mayBeDataset, let parts = try dataset(open) { return try add(parts) }
    var elements = DetectionReader(groundTruth)
    do throws(JSONFailure) {
      var reader = try open()
      try reader.elements("detections") { (reader) throws(JSONFailure) in
        elements.read(try ElementJSON(&reader), reader, into: &self)
        return elements.failure == nil
      }
    } catch {
      throw EvaluationError(error)
    }
    if let failure = elements.failure { throw failure }
  }

  /// The lists of a whole COCO file; nil for a file of another form.
  private func dataset(_ open: () throws(JSONFailure) -> JSONReader) throws(EvaluationError)
    -> InstancesParts?
  {
    do throws(JSONFailure) {
      var first = try open()
      guard try first.beginsDataset() else { return nil }
      var reader = try open()
      return try InstancesParts(&reader)
    } catch {
      throw EvaluationError(error)
    }
  }
}
