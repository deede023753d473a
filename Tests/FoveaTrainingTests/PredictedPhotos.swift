// SPDX-License-Identifier: Apache-2.0

import FoveaCore
import FoveaTesting
import FoveaTraining

/// A folder of files with the names of photos, and answers for them: with given answers no photo is opened.
struct PredictedPhotos {
  let folder: TemporaryFolder

  init(_ names: [String] = ["cat/1.jpg", "cat/2.jpg", "dog/1.jpg", "dog/2.jpg"]) throws {
    folder = try TemporaryFolder()
    for name in names { try folder.write("set/\(name)", "no image") }
  }

  /// The line of a photo: its labels with their scores.
  static func line(_ photo: String, _ labels: [(String, Double)]) -> String {
    let list = labels.enumerated().map {
      #"{"text": "\#($1.0)", "index": \#($0), "confidence": \#($1.1)}"#
    }
    return #"{"image": "\#(photo)", "labels": [\#(list.joined(separator: ", "))]}"#
  }

  /// The evaluation of the set by given answers.
  func evaluated(
    _ lines: [String], set: TrainingSet? = nil, _ change: (inout LabelEvaluation) throws -> Void = { _ in }
  ) throws -> EvaluatedLabels {
    try folder.write("labels.jsonl", lines.joined(separator: "\n"))
    var evaluation = LabelEvaluation(try set ?? TrainingSet(folder: folder["set"]))
    try change(&evaluation)
    return try evaluation.evaluate(predictions: folder["labels.jsonl"])
  }

  /// The message and the remedy of the error, without the folder's path.
  func failure(
    _ lines: [String], _ change: (inout LabelEvaluation) throws -> Void = { _ in }
  ) throws -> String {
    do {
      _ = try evaluated(lines, change)
      return "nothing"
    } catch let error as FoveaError {
      return "\(error.code.rawValue): \(error.message). \(error.remedy)"
        .replacing(folder.path + "/", with: "")
    }
  }
}
