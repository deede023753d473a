// SPDX-License-Identifier: Apache-2.0

import FoveaCore
import FoveaGeometry
import FoveaMetadata

/// The shared parts of the YOLO decoders: the layout, checks of values, and the last step of decoding.
struct YOLOHead: Sendable {
  let modelName: String
  let layout: YOLOLayout
  let inputWidth: Int
  let inputHeight: Int
  /// The quantisation step of the output; 0 if it is not quantised.
  var step: Float = 0
  let suppression: SuppressionOptions

  /// The largest number of detections by default: the default of Ultralytics (`max_det`).
  var maximumDetections: Int { min(layout.rows, 300) }

  /// The notes for users of a model that finds more than boxes.
  var notes: [Advice] {
    var notes = layout.extra.map { [$0.note(modelName: modelName, isDescribed: layout.isDescribed)] } ?? []
    if layout.isClassAssumed {
      notes.append(
        "'\(modelName)' is read with one class, as nothing shows how many it has."
          + " If there are more, give their names (\(option: "labels"))"
      )
    }
    return notes
  }

  /// Returns the output with the rows, whose size matches the layout.
  func values(_ outputs: [[Float]]) throws(DetectionError) -> [Float] {
    let values = outputs.indices.contains(layout.output) ? outputs[layout.output] : []
    guard values.count == layout.rows * layout.columns else {
      throw invalid(
        "returned \(values.count) numbers; \(layout.rows) rows of \(layout.columns) are expected"
      )
    }
    return values
  }

  /// Throws for a score that no sigmoid returns; quantised scores may be a step outside 0…1.
  func check(score: Float, _ noun: String) throws(DetectionError) {
    guard score < -0.02 || score > 1.02 else { return }
    throw invalid("returned \(score) as \(noun); it must be 0…1")
  }

  /// Throws for best scores that no sigmoid returns, and if all are NaN.
  func check(bestScores scores: [Float]) throws(DetectionError) {
    var highest = -Float.infinity
    var lowest = Float.infinity
    for score in scores {
      highest = score > highest ? score : highest
      lowest = score > -.infinity && score < lowest ? score : lowest
    }
    guard highest > -.infinity else { throw noNumbers() }
    try check(score: highest, "a class's score")
    try check(score: lowest, "a class's score")
  }

  func invalid(_ what: String) -> DetectionError {
    DetectionError(
      .invalidOutput, "'\(modelName)' of the family '\(layout.family)' \(what)",
      remedy: "Name the right family, or export the model with its sigmoid and decoding included")
  }

  func noNumbers() -> DetectionError {
    DetectionError(
      .invalidOutput, "'\(modelName)' returned no number at all (NaN)",
      remedy: "Check the normalisation, or the model with the tool that exported it")
  }

  /// Returns whether positions are pixels of the input rather than fractions: exporters differ, and the
  /// positions show it.
  ///
  /// Fractions are at most slightly above 1; pixels are larger in nearly all cells. A sample of the rows
  /// decides, excluding unused rows of zeros.
  /// - Parameter place: Returns the larger of x and y of a row's centre or far corner.
  /// - Returns: Whether most positions are larger than fractions can be.
  func usesPixels(_ place: (Int) -> Float) -> Bool {
    var beyond = 0
    var sampled = 0
    for row in sampledRows(of: layout.rows) {
      let place = place(row)
      if place != 0 { sampled += 1 }
      if place > 2 { beyond += 1 }
    }
    return beyond * 2 > sampled
  }

  /// Returns the meaning of the four numbers of a box; see `BoxColumns.kind`.
  func kind(
    of columns: BoxColumns, _ cells: CellSample?, inPixels: Bool
  ) throws(DetectionError) -> BoxColumns.Kind {
    let (unitX, unitY) = inPixels ? (1, 1) : (Float(inputWidth), Float(inputHeight))
    if let kind = columns.kind(cells, unitX: unitX, unitY: unitY) { return kind }
    throw invalid(
      "returned boxes that are neither centre and size nor edges: either way they are far from their cells")
  }

  /// Suppresses duplicates; the boxes are in fractions, or in pixels of the input.
  func detections(
    _ candidates: DetectionCandidates, inPixels: Bool, threshold: Float, defaultIoU: Double?, limit: Int
  ) -> [Detection] {
    candidates.detections(
      threshold: threshold, usualIoU: defaultIoU, options: suppression,
      limit: limit,
      scaleX: inPixels ? 1 / Double(inputWidth) : 1, scaleY: inPixels ? 1 / Double(inputHeight) : 1)
  }
}

extension DetectorInput {
  /// The input of Ultralytics models: letterboxed in the middle, RGB, 0…1.
  static let ultralytics = DetectorInput(letterbox: Letterbox(.center), normalization: .fractions)
}

extension BoundingBox {
  /// Creates a box from its centre and size.
  init(centerX: Float, centerY: Float, width: Float, height: Float) {
    let halfWidth = Double(width) / 2
    let halfHeight = Double(height) / 2
    self.init(
      minX: Double(centerX) - halfWidth, minY: Double(centerY) - halfHeight,
      maxX: Double(centerX) + halfWidth,
      maxY: Double(centerY) + halfHeight)
  }
}
