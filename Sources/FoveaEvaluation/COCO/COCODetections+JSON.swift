// SPDX-License-Identifier: Apache-2.0

extension COCODetections {
  /// Adds the detections of a file of any size, which is read piece by piece.
  ///
  /// Read are COCO results (an array of objects with `image_id`, `category_id`, `bbox` and `score`) and the `json`
  /// and `jsonl` results of `fovea detect`, whose images are found by their file names and whose categories by the
  /// first label's text.
  /// - Throws: `EvaluationError` `unreadable`, `notJSON` or `invalidDetections`.
  public mutating func read(path: String) throws(EvaluationError) {
    var reader = try JSONReader.file(path)
    try read(&reader)
  }

  /// Adds the detections of a text of the same formats.
  /// - Throws: `EvaluationError` `notJSON` or `invalidDetections`.
  public mutating func read(json: [UInt8]) throws(EvaluationError) {
    var reader = JSONReader(bytes: json, name: "The detections")
    try read(&reader)
  }

  private mutating func read(_ reader: inout JSONReader) throws(EvaluationError) {
    var elements = DetectionReader(groundTruth)
    switch try reader.peek() {
    case UInt8(ascii: "["):
      reader.at += 1
      var isFirst = true
      while try reader.nextElement(&isFirst) {
        guard try reader.take(UInt8(ascii: "{")) else {
          throw reader.mismatch("an element of the detections is not an object")
        }
        try elements.read(&reader, into: &self)
      }
      try reader.expectEnd()
    case UInt8(ascii: "{"):
      // JSON lines: one object after the other.
      while try reader.peek() != nil {
        try reader.expect(UInt8(ascii: "{"), "an object")
        try elements.read(&reader, into: &self)
      }
    default: throw try reader.unexpected("an array of detections is expected")
    }
  }
}
