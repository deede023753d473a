// SPDX-License-Identifier: Apache-2.0

import FoveaGeometry
import FoveaMetadata

/// What the decoders of the YOLO families share: the layout, checks of values, and the end of decoding.
struct YOLOHead: Sendable {
  let modelName: String
  let layout: YOLOLayout
  let inputWidth: Int
  let inputHeight: Int
  let suppression: SuppressionOptions

  /// The most answers of an image unless the caller asks for more: the default of Ultralytics (`max_det`).
  var maximumDetections: Int { min(layout.rows, 300) }

  /// The one output, of the size that the layout says.
  func values(_ outputs: [[Float]]) throws(DetectionError) -> [Float] {
    guard let values = outputs.first, values.count == layout.rows * layout.columns else {
      throw invalid(
        "answered \(outputs.first?.count ?? 0) numbers; \(layout.rows) rows of \(layout.columns) are expected"
      )
    }
    return values
  }

  /// Throws for a score that no sigmoid gives; quantised ones may be a step beyond 0…1.
  func check(score: Float, _ noun: String) throws(DetectionError) {
    guard score < -0.02 || score > 1.02 else { return }
    throw invalid("answered \(score) as \(noun); it must be 0…1")
  }

  func invalid(_ what: String) -> DetectionError {
    DetectionError(
      .invalidOutput, "'\(modelName)' of the family '\(layout.family)' \(what)",
      remedy: "Name the right family, or export the model with its sigmoid and decoding included")
  }

  func noNumbers() -> DetectionError {
    DetectionError(
      .invalidOutput, "'\(modelName)' answered no number at all (NaN)",
      remedy: "Check the normalisation, or the model with the tool that exported it")
  }

  /// Whether places are pixels of the input and not fractions of it: exporters differ, and the places show it.
  ///
  /// Fractions reach little beyond 1, pixels of nearly all cells are larger. A sample of the rows decides.
  /// - Parameter place: The larger of x and y of a row's centre or far corner.
  /// - Returns: Whether most places are beyond what fractions reach.
  func usesPixels(_ place: (Int) -> Float) -> Bool {
    var beyond = 0
    var sampled = 0
    for row in stride(from: 0, to: layout.rows, by: max(1, layout.rows / 256)) {
      sampled += 1
      if place(row) > 2 { beyond += 1 }
    }
    return beyond * 2 > sampled
  }

  /// Suppresses duplicates; boxes in fractions, or in pixels of the input.
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
  /// What Ultralytics' models want: letterboxed in the middle, RGB, 0…1.
  static let ultralytics = DetectorInput(letterbox: Letterbox(.center), normalization: .fractions)
}

extension BoundingBox {
  /// A box from its centre and size.
  init(centerX: Float, centerY: Float, width: Float, height: Float) {
    let halfWidth = Double(width) / 2
    let halfHeight = Double(height) / 2
    self.init(
      minX: Double(centerX) - halfWidth, minY: Double(centerY) - halfHeight,
      maxX: Double(centerX) + halfWidth,
      maxY: Double(centerY) + halfHeight)
  }
}
