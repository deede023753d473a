// SPDX-License-Identifier: Apache-2.0

import FoveaErrors
public import FoveaEvaluation
import FoveaSystem

extension COCODetections {
  /// Adds the detections of a file of any size, which is read piece by piece.
  ///
  /// Read are COCO results (an array of objects with `image_id`, `category_id`, `bbox` and `score`) and the `json`
  /// and `jsonl` results of `fovea detect`, whose images are found by their file names and whose categories by the
  /// first label's text.
  /// - Throws: `EvaluationError` `unreadable`, `notJSON` or `invalidDetections`.
  public mutating func read(path: String) throws(EvaluationError) {
    try read { () throws(JSONFailure) in try JSONReader.file(path) }
  }

  /// Adds the detections of a text of the same formats.
  /// - Throws: `EvaluationError` `notJSON` or `invalidDetections`.
  public mutating func read(json: [UInt8]) throws(EvaluationError) {
    try read { JSONReader(bytes: json, name: "The detections") }
  }

  private mutating func read(_ open: () throws(JSONFailure) -> JSONReader) throws(EvaluationError) {
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
}
