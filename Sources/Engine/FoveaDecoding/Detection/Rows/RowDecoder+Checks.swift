// SPDX-License-Identifier: Apache-2.0

import FoveaCore

extension RowDecoder {
  /// The notes for users of a model that finds more than boxes.
  var notes: [Advice] {
    let note = layout.extra?.note(modelName: modelName, layout)
    var notes = note.map { [$0] } ?? []
    if layout.isClassAssumed {
      notes.append(
        "'\(modelName)' is read with one class, as nothing shows how many it has."
          + " If there are more, give their names (\(option: "labels"))"
      )
    }
    return notes
  }

  /// Throws for outputs of other sizes than the layout has.
  func check(_ outputs: [[Float]]) throws(DetectionError) {
    for (output, size) in layout.sizes.sorted(by: { $0.key < $1.key }) {
      let count = outputs.indices.contains(output) ? outputs[output].count : 0
      guard count == size.rows * size.columns else {
        let place = layout.sizes.count > 1 ? " in output \(output)" : ""
        throw invalid(
          "returned \(count) numbers\(place); \(size.rows) rows of \(size.columns) are expected")
      }
    }
    guard let prototypes = layout.prototypes else { return }
    let count = outputs.indices.contains(prototypes.output) ? outputs[prototypes.output].count : 0
    guard count == prototypes.count * prototypes.size.area else {
      throw invalid(
        "returned \(count) numbers in output \(prototypes.output); \(prototypes.count) prototypes of"
          + " \(prototypes.size) are expected")
    }
  }

  /// Throws for a score that no sigmoid returns; quantised scores may be a step outside 0…1.
  func check(score: Float, _ noun: String) throws(DetectionError) {
    guard score < -0.02 || score > 1.02 else { return }
    throw invalid("returned \(score) as \(noun); it must be 0…1")
  }

  func invalid(_ what: String) -> DetectionError {
    DetectionError(
      .invalidOutput, "'\(modelName)' of the family '\(family)' \(what)",
      remedy: "Name the right family, or export the model with its sigmoid and decoding included")
  }

  func noNumbers() -> DetectionError {
    DetectionError(
      .invalidOutput, "'\(modelName)' returned no number at all (NaN)", remedy: Self.brokenModel)
  }

  /// The error of one value, such as `a point of row 3`, that is NaN or infinite.
  func notANumber(_ value: String) -> DetectionError {
    DetectionError(
      .invalidOutput, "'\(modelName)' of the family '\(family)' returned \(value) that is not a number",
      remedy: Self.brokenModel)
  }

  /// Throws for scores that are NaN: as a class, objectness or best score of a row.
  func check(_ scores: ReadScores) throws(DetectionError) {
    guard scores.haveNumbers else { throw noNumbers() }
    if let row = scores.wrongRow { throw notANumber("a score of row \(row)") }
  }

  private static let brokenModel: Advice =
    "Check the normalisation, or the model with the tool that exported it"

  /// The score that few rows of a detector reach, whatever the image.
  static let leastOfCell: Float = 0.25
  /// The score that few rows reach if there is one for each query or for each of the best objects.
  static let leastOfBest: Float = 0.9

  /// Throws if nearly every row has a confident class, which no image causes: these are points or masks, or
  /// the input has other numbers than the model expects.
  ///
  /// In yolo11n-pose, 97 to 99 % of the rows have a number above 0.25 among those of the points, whatever the
  /// image; in a detector, few rows have a number above 0.02.
  func checkBackground(_ scores: [Float], _ isLogits: Bool = false) throws(DetectionError) {
    // One class and the fewest values of a point.
    let columns = layout.box == nil || layout.isPair ? 0 : layout.sizes.values.first?.columns ?? 0
    guard columns >= 4 + 1 + 2 else {
      return try checkBackground(rows: scores.count) { probability(scores[$0], isLogits) }
    }
    // With one label too many, a coordinate becomes a class; in four of five rows it is far from 0.
    let isTaken = !layout.isDescribed && layout.extra != nil
    let (sure, sampled) = countSample(of: scores.count) { scores[$0] >= 0.2 }
    guard sampled >= 64, isTaken ? sure * 4 >= sampled * 3 : sure * 10 >= sampled * 9 else { return }
    throw DetectionError(
      .invalidOutput,
      "'\(modelName)' of the family '\(family)' returned a class score of 0.2 or more"
        + " in \(sure) of \(sampled) rows, which no image causes: these seem to be points (-pose) or masks"
        + " (-seg), not classes",
      remedy:
        """
        If it finds points, give its labels (\(option: "labels")), one per class, or, for a single class, \
        name the family '\(DetectorFamily.yolov8Pose)' (\(option: "family", "yolov8-pose")); otherwise \
        export it with its description or for detection
        """
    )
  }

  /// Throws if nearly every row reaches a score, which no image causes.
  func checkBackground(
    rows: Int, least: Float = leastOfCell, score: (Int) -> Float
  ) throws(DetectionError) {
    let (sure, sampled) = countSample(of: rows) { score($0) >= least }
    guard sampled >= 64, sure * 10 >= sampled * 9 else { return }
    throw DetectionError(
      .invalidOutput,
      "'\(modelName)' of the family '\(family)' returned a score of \(least) or more in \(sure) of \(sampled)"
        + " rows, which no image causes",
      remedy: "Check the normalisation (\(option: "normalize", "MEAN,STD")), or the model with the tool that"
        + " exported it")
  }

  /// Throws if, in a model without a declared task, the first point lies at the left edge in nearly every
  /// row, as the scores of further classes would.
  func checkPoints(_ outputs: [[Float]]) throws(DetectionError) {
    guard let points = layout.places[.points], !layout.isDescribed, let classCount else { return }
    let columns = BoxColumns(outputs, points.runs[0])
    let (small, sampled) = countSample(of: columns.rows) { abs(columns.number($0, 0)) < 0.02 }
    guard sampled >= 64, small * 10 >= sampled * 9 else { return }
    throw DetectionError(
      .invalidOutput,
      "'\(modelName)' of the family '\(family)' returned numbers below 0.02 behind its"
        + " \(classCount == 1 ? "class" : "\(classCount) classes") in \(small) of \(sampled) rows:"
        + " these seem to be scores of more classes, not points",
      remedy: "Give its own labels (\(option: "labels")), one per class")
  }
}

/// The scores of rows that have been read: whether one of them is a number, and the first row whose score is
/// NaN or infinite.
struct ReadScores {
  private(set) var haveNumbers = false
  private(set) var wrongRow: Int?

  mutating func add(_ score: Float, of row: Int) {
    if score < .infinity { haveNumbers = true } else if wrongRow == nil { wrongRow = row }
  }
}
