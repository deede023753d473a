// SPDX-License-Identifier: Apache-2.0

import FoveaCore
package import FoveaEvaluation

/// Reads boxes by frame: MOTChallenge's lines, and the JSON lines and CSV of `fovea track`.
///
/// Also reads the records of `fovea detect`: each image is a frame. As detections, it also reads COCO files
/// and folders in the form of Pascal VOC or YOLO.
package enum TrackFile {
  /// Reads a file of any of these forms, detected by its first bytes.
  /// - Parameters:
  ///   - path: The file or pipe; a folder only for detections.
  ///   - content: The content of the file; in results and ground truth, only objects with an identity are
  ///     used.
  ///   - minimumColumns: The minimum number of columns in a line of MOTChallenge.
  /// - Returns: The boxes by frame.
  /// - Throws: `EvaluationError` `unreadable`, `notJSON`, `invalidLine`, `invalidDetections` or
  ///   `duplicateIdentity`.
  package static func read(
    path: String, _ content: MOTReader.Content, minimumColumns: Int = 6
  ) throws(EvaluationError) -> TrackFrames {
    try readLabeled(path: path, content, minimumColumns: minimumColumns).frames
  }

  /// Reads a file as ``read(path:_:minimumColumns:)`` does, with the labels of detections.
  /// - Throws: The same errors.
  static func readLabeled(
    path: String, _ content: MOTReader.Content, minimumColumns: Int = 6
  ) throws(EvaluationError) -> LabeledFrames {
    var boxes = FrameBoxes(content, name: "'\(path)'")
    if FileStatus(FilePath(path))?.kind == .folder {
      guard content == .detections else {
        throw noFrames(path, content, "is a folder, but boxes of frames are lines of one file")
      }
      try RecordFile.read(path: path, scores: .probability, includesUnlabeled: true) { boxes.add($0) }
      return try boxes.labeledFrames(boxes.warnings(ofFolder: path))
    }
    let input = try ResultInput(path: path)
    switch input.kind {
    case .json:
      switch try boxes.readJSON(input) {
      case .frames: break
      case .results: return try COCOFrames.results(input)
      case .dataset: return try COCOFrames.dataset(input)
      }
    case .frameCSV: try boxes.readRows(input)
    case .csv:
      for record in try CSVReader().read(text: input.text(), name: input.name, scores: boxes.scoreRule) {
        if case .labels? = record.findings?.content { throw noFrames(path, content, Self.labels) }
        boxes.add(record)
      }
    case .voc, .yolo, .other:
      return try LabeledFrames(frames: MOTReader(content, minimumColumns: minimumColumns).read(input.lines()))
    }
    if content != .detections, boxes.frames.isEmpty, boxes.hasBoxes {
      throw noFrames(path, content, "holds detections, whose boxes have no identity")
    }
    let read = try boxes.labeledFrames(
      content == .detections
        ? boxes.orderWarnings(input.name) + boxes.shapeWarnings(input.name)
        : boxes.identityWarnings(input.name))
    if content != .detections { try read.frames.checkIdentities() }
    return read
  }

  /// The description of a file of labels.
  static let labels = "has labels of whole images, not boxes"

  /// Returns the error of a file or folder without frames; `what` describes what it is instead.
  static func noFrames(_ path: String, _ content: MOTReader.Content, _ what: String) -> EvaluationError {
    EvaluationError(
      content == .groundTruth ? .invalidGroundTruth : .invalidDetections, "'\(path)' \(what)",
      remedy: content == .detections
        ? "Name lines of MOTChallenge such as det.txt, or results of Fovea in any format except text"
        : """
        Name lines of MOTChallenge such as gt.txt, or a file of \(command: "track") in the format mot, jsonl \
        or csv
        """
    )
  }
}
