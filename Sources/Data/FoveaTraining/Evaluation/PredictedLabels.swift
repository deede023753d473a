// SPDX-License-Identifier: Apache-2.0

import FoveaCore
import FoveaDecoding
import FoveaEvaluation
import FoveaFormats

/// The predictions of a file, photo by photo.
struct PredictedLabels {
  /// The labels of each photo, or the error of the program; nil if the file does not list the photo.
  private(set) var results: [Result<[Label], FoveaError>?]
  /// The number of answers for other photos.
  private(set) var strangerCount = 0
  private var matchedCount = 0
  private var firstStranger: String?

  private let photos: [TrainingSet.Photo]
  private let path: String
  private let places: [String: Int]
  private var identities: [FileStatus.Identity: Int]?
  private var problem: EvaluationError?

  /// Reads the records of a file.
  /// - Parameters:
  ///   - path: A file in a format of `fovea label` (`json`, `jsonl` or `csv`), written by any program.
  ///   - photos: The photos, which records identify by path or by their name in the set.
  /// - Throws: `EvaluationError` `unreadable`, `notJSON`; `invalidDetections` for records without labels with
  ///   scores 0…1 and for two records of one photo; `photosMismatch` if no record matches a photo.
  init(path: String, photos: [TrainingSet.Photo]) throws(EvaluationError) {
    (self.path, self.photos) = (path, photos)
    results = Array(repeating: nil, count: photos.count)
    places = Dictionary(
      photos.enumerated().map { ($1.name, $0) } + photos.enumerated().map { ($1.path, $0) },
      uniquingKeysWith: { $1 })
    try RecordFile.read(path: path) { record in
      if problem == nil { take(record) }
    }
    if let problem { throw problem }
    guard matchedCount > 0 || photos.isEmpty else { throw mismatch }
  }

  /// The labels of the answers, each once, by number and then name.
  var labelNames: [String] {
    var numbers: [String: Int] = [:]
    for result in results {
      guard case .success(let labels)? = result else { continue }
      for label in labels { numbers[label.name] = min(label.index, numbers[label.name] ?? .max) }
    }
    return numbers.sorted { ($0.value, $0.key) < ($1.value, $1.key) }.map(\.key)
  }

  /// Notes about the file, as sentences without the final stop.
  var notes: [Advice] {
    var notes: [Advice] = []
    let missing = results.count { $0 == nil }
    if missing > 0 {
      notes.append("\(DecimalText.counted(missing, "photo has", "photos have")) no prediction in the file")
    }
    if strangerCount > 0 {
      let predictions = DecimalText.counted(
        strangerCount, "prediction for other photos was", "predictions for other photos were")
      notes.append("\(predictions) left out")
    }
    return notes
  }

  /// Returns whether a photo has all scores, for each photo of a classifier with this many labels.
  ///
  /// A list that ends with the score 0 lacks only scores of 0. A photo that the file does not list has no
  /// prediction, which is an answer.
  func areWhole(labelCount: Int) -> [Bool] {
    results.map { result in
      guard case .success(let labels)? = result else { return true }
      return labels.count >= labelCount || labels.contains { $0.confidence == 0 }
    }
  }

  /// Returns the note on photos that lack scores, as `fovea label` leaves out those below its threshold and
  /// those after the first ten.
  func scoreNotes(labelCount: Int) -> [Advice] {
    let short = areWhole(labelCount: labelCount).count { !$0 }
    guard short > 0 else { return [] }
    let photos = DecimalText.counted(short, "photo has", "photos have")
    return [
      """
      \(photos) fewer labels than the \(labelCount) in total and none with the score 0, so figures that \
      need all scores are left out; label again with the threshold 0 (\(option: "threshold", "0")) and \
      \(labelCount) labels (\(option: "max-results", "\(labelCount)"))
      """
    ]
  }

  private mutating func take(_ record: DetectionRecord) {
    guard let place = place(of: record.image) else {
      strangerCount += 1
      firstStranger = firstStranger ?? record.image
      return
    }
    matchedCount += 1
    guard results[place] == nil else {
      problem = invalid("there are two predictions for the photo '\(record.image.printable)'")
      return
    }
    switch record.result {
    case .failure(let error): results[place] = .failure(error)
    case .success(let findings):
      guard case .labels(let labels) = findings.content else {
        problem = invalid("the prediction for '\(record.image.printable)' has objects instead of labels")
        return
      }
      if let label = labels.first(where: { !(0...1).contains($0.confidence) }) {
        problem = invalid(
          "the label '\(label.name.printable)' of '\(record.image.printable)' has the score "
            + "\(label.confidence), not one from 0 to 1")
      }
      results[place] = .success(labels)
    }
  }

  /// Returns the photo of a record: by path, by the set's name, or by another path of the same file.
  private mutating func place(of image: String) -> Int? {
    if let place = places[image] ?? places[Self.withoutDot(image)] { return place }
    guard let identity = FileStatus(FilePath(image))?.identity else { return nil }
    let known =
      identities
      ?? Dictionary(
        photos.enumerated().compactMap { index, photo in
          FileStatus(FilePath(photo.path)).map { ($0.identity, index) }
        }, uniquingKeysWith: { first, _ in first })
    identities = known
    return known[identity]
  }

  /// Returns a relative path without "./" at its start, which `fovea label .` writes.
  private static func withoutDot(_ path: String) -> String {
    path.hasPrefix("./") ? String(path.dropFirst(2).drop { $0 == "/" }) : path
  }

  private func invalid(_ text: String) -> EvaluationError {
    EvaluationError(
      .invalidDetections, text,
      remedy: "Write the predictions in the format of \(command: "label --format jsonl")", subject: path)
  }

  private var mismatch: EvaluationError {
    let names = firstStranger.map {
      ": the first prediction is for '\($0.printable)', the first photo is '\(photos[0].path.printable)'"
    }
    return EvaluationError(
      .photosMismatch,
      "none of its \(DecimalText.counted(strangerCount, "prediction", "predictions")) is for any of the "
        + "\(DecimalText.counted(photos.count, "photo", "photos"))\(names ?? "")",
      remedy:
        "Label the same folder from the same working folder, with \(flag: "recursive", "the folders in it")",
      subject: path)
  }
}
