// SPDX-License-Identifier: Apache-2.0

import FoveaCore
import FoveaGeometry
import FoveaRuntime

/// YOLOX and others that suppress duplicates within the model: [K, 7] or [1, K, 7], one row per object.
///
/// The output's name shows the order of the numbers; otherwise the rows do: in every other order, a number is
/// no score or a box is inverted. Boxes are pixels of the input, or fractions if no number exceeds 2.
struct SuppressedDecoder: DetectionDecoder {
  let family = DetectorFamily.yoloxSuppressed
  let maximumDetections: Int
  private let modelName: String
  private let rows: Int
  private let inputWidth: Int
  private let inputHeight: Int
  private let orders: [SuppressedRows]
  /// Whether `yolov8-obb` can read the list.
  private let canBeNamedOBB: Bool
  private let suppression: SuppressionOptions

  /// Recognises a list with seven numbers per object.
  ///
  /// A single row of seven belongs to a classifier, unless
  /// the caller names the family or the output's name identifies the list.
  init?(recognizing model: DetectorRecognizer, isAsked: Bool) {
    guard model.signature.outputs.count == 1, let output = model.signature.outputs.first,
      output.elementType == .float32, output.shape.last == 7,
      let size = YOLOGrid.inputSize(of: model.signature)
    else { return nil }
    let isNamed = SuppressedRows.isNamed(model.signature)
    switch output.shape.count {
    case 2: guard output.shape[0] > 1 || isAsked || isNamed else { return nil }
    case 3: guard output.shape[0] == 1, output.shape[1] > 1 || isAsked || isNamed else { return nil }
    default: return nil
    }
    let rows = output.shape[output.shape.count - 2]
    guard rows >= 0, rows <= 1 << 20 else { return nil }
    self.rows = rows
    modelName = model.modelName
    (inputWidth, inputHeight) = (size.width, size.height)
    orders = isNamed ? [SuppressedRows.known[0]] : SuppressedRows.known
    let asOBB = RowBinding(model, isAsked: true)?.layouts(of: .yolov8OBB) ?? []
    canBeNamedOBB = asOBB.contains { $0.family == .yolov10 }
    suppression = model.suppression
    // A model with a variable number of rows reports one row before it runs.
    maximumDetections = rows > 1 ? min(rows, 300) : 300
  }

  /// Returns whether a list has the shape of rotated boxes in Ultralytics exports: 300 rows for one image,
  /// without a name that identifies another layout.
  static func canBeRotated(_ signature: ModelSignature) -> Bool {
    signature.outputs.first?.shape == [1, 300, 7] && !SuppressedRows.isNamed(signature)
  }

  func decode(_ outputs: [[Float]], threshold: Float, limit: Int) throws(DetectionError) -> [Detection] {
    guard let values = outputs.first, values.count % 7 == 0 else {
      throw invalid("\(outputs.first?.count ?? 0) numbers, which are not rows of 7")
    }
    guard !values.contains(where: \.isNaN) else { throw invalid("rows that are not numbers (NaN)") }
    guard let order = orders.first(where: { $0.fits(values) }) else {
      if SuppressedRows.areRotated(values) {
        let remedy: Advice =
          canBeNamedOBB
          ? "Name the family, yolov8-obb (\(option: "family", "yolov8-obb")):"
            + " the upright box around each is read"
          : "Export it with 8 rows or more and one image, [1, K, 7], and name the family, yolov8-obb"
            + " (\(option: "family", "yolov8-obb"))"
        throw DetectionError(
          .invalidOutput,
          "'\(modelName)' of the family '\(family)' returned rotated boxes (-obb):"
            + " centre, size, score, class and angle",
          remedy: remedy)
      }
      throw invalid("rows of 7 numbers that are not score, class and box in any of the usual orders")
    }
    var candidates = DetectionCandidates()
    var reach: Float = 0
    for start in stride(from: 0, to: values.count, by: 7) {
      let score = values[start + order.score] * (order.otherScore.map { values[start + $0] } ?? 1)
      let classNumber = values[start + order.classIndex]
      guard score >= threshold, classNumber >= 0, classNumber < 1_000_000 else { continue }
      let box = values[(start + order.box)..<(start + order.box + 4)].map { $0 }
      reach = max(reach, box[2], box[3])
      candidates.append(
        BoundingBox(
          minX: Double(box[0]), minY: Double(box[1]), maxX: Double(box[2]), maxY: Double(box[3])),
        score: min(max(score, 0), 1), classIndex: Int(classNumber))
    }
    let inPixels = reach > BoxUnit.largestFraction
    return candidates.detections(
      threshold: threshold, usualIoU: suppression.isClassAgnostic ? DetectorFamily.yolox.iou : nil,
      options: suppression, limit: limit,
      scaleX: inPixels ? 1 / Double(inputWidth) : 1, scaleY: inPixels ? 1 / Double(inputHeight) : 1)
  }

  private func invalid(_ what: String) -> DetectionError {
    DetectionError(
      .invalidOutput, "'\(modelName)' of the family '\(family)' returned \(what)",
      remedy: "Name the right family, or export the model without its suppression")
  }
}
