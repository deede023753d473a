// SPDX-License-Identifier: Apache-2.0

import FoveaCore
import FoveaGeometry
import FoveaMetadata
import FoveaRuntime

/// Decodes box codes against anchors and suppresses duplicates: SSD and EfficientDet without post-processing.
///
/// As in `TFLite_Detection_PostProcess`, only the best class of each anchor counts; suppression is per class.
///
/// **Source:** Liu et al., "SSD: Single Shot MultiBox Detector", section 2.2; codes (ty, tx, th, tw) of the
/// TensorFlow Object Detection API's `faster_rcnn_box_coder.py`.
struct AnchorSSDDecoder: DetectionDecoder {
  let family: DetectorFamily
  let hasClasses: Bool
  let classCount: Int?
  let maximumDetections: Int
  private let modelName: String
  private let head: AnchorHead
  private let anchors: [AnchorLayout.Anchor]
  private let coder: BoxCoder
  private let reading: ScoreReading
  private let calibration: ScoreCalibration?
  /// The largest IoU of two detections of one class, unless the caller gives another.
  private let usualIoU: Double?
  private let suppression: SuppressionOptions

  /// Recognises a model whose anchors follow from their number or are in its metadata.
  init?(recognizing model: DetectorRecognizer, as variant: AnchorVariant) throws(DetectionError) {
    let metadata = try Self.anchorMetadata(of: model)
    let valuesPerBox = metadata?.valuesPerBox ?? 4
    guard let count = AnchorHead.all(of: model, valuesPerBox: valuesPerBox).first?.count,
      let shape = model.signature.inputs.first?.shape, shape.count == 4, shape[1] > 0, shape[2] > 0
    else { return nil }
    let known = metadata == nil ? try variant.layout(shape[2], shape[1], count, model.modelName) : nil
    // Of two outputs with equal shapes, only rows for known anchors are compared further.
    guard known != nil || metadata != nil && variant.readsMetadata,
      let head = try AnchorHead(model, valuesPerBox: valuesPerBox)
    else { return nil }
    let layout: AnchorLayout
    if let metadata {
      guard metadata.anchors.count == head.count, metadata.classCount == head.columns else {
        throw DetectionError(
          .familyMismatch,
          "The metadata of \(model: model.modelName) are for \(metadata.anchors.count) anchors"
            + " and \(metadata.classCount) classes, but its outputs have \(head.count) rows of"
            + " \(head.columns) scores",
          remedy: "Write the model's metadata again")
      }
      layout = AnchorLayout(metadata, width: shape[2], height: shape[1])
      coder = BoxCoder(metadata)
    } else {
      guard let known else { return nil }
      layout = known
      coder = variant.coder
    }
    family = variant.family
    self.head = head
    modelName = model.modelName
    anchors = layout.anchors
    calibration = model.hints.calibration
    reading = try ScoreReading(head, of: model, anchors: metadata, answersLogits: variant.answersLogits)
    hasClasses = head.columns > 1 || model.hints.labels != nil
    classCount = head.columns - reading.classOffset
    maximumDetections = head.count
    // MediaPipe's detector options use 0.3 and let all classes compete.
    usualIoU = metadata != nil ? 0.3 : variant.family.iou
    var suppression = model.suppression
    if metadata != nil { suppression.isClassAgnostic = true }
    self.suppression = suppression
  }

  private static func anchorMetadata(of model: DetectorRecognizer) throws(DetectionError) -> AnchorMetadata? {
    do throws(MetadataError) {
      return try model.metadata.flatMap { metadata throws(MetadataError) in try AnchorMetadata.read(metadata)
      }
    } catch {
      var failure = DetectionError(
        .familyMismatch, "'\(model.modelName)': \(error.message)", remedy: error.remedy)
      failure.reason = error.message
      throw failure
    }
  }

  func decode(_ outputs: [[Float]], threshold: Float, limit: Int) throws(DetectionError) -> [Detection] {
    var candidates = DetectionCandidates(hasClasses: hasClasses)
    let (rows, codes) = (outputs[head.scores], outputs[head.boxes])
    guard rows.count == head.count * head.columns, codes.count == head.count * head.valuesPerBox else {
      throw DetectionError(
        .invalidOutput,
        "'\(modelName)' returned \(codes.count) and \(rows.count) numbers;"
          + " \(head.count) rows of \(head.valuesPerBox) and of \(head.columns) are expected",
        remedy: "Check the model with the tool that exported it")
    }
    // A calibrated score can reach the threshold whatever the model's own score is.
    let cut = calibration == nil ? reading.cut(threshold) : -.infinity
    let least = calibration == nil ? threshold : -.infinity
    try reading.forEachRow(reaching: cut, rows, rows: head.count, columns: head.columns) {
      (index) throws(DetectionError) in
      guard
        let best = reading.best(rows, from: index * head.columns, columns: head.columns, least: least)
      else { return }
      guard best.score > -.infinity, best.score <= 1.01 else {
        throw .notAProbability(best.score, modelName: modelName)
      }
      let classIndex = best.column - reading.classOffset
      let score = calibration?.apply(best.score, classIndex: classIndex) ?? best.score
      guard score >= threshold else { return }
      candidates.append(
        coder.box(codes, at: index * head.valuesPerBox, anchor: anchors[index]), score: score,
        classIndex: classIndex)
    }
    return candidates.detections(
      threshold: threshold, usualIoU: usualIoU, options: suppression, limit: limit)
  }
}

/// Turns four numbers and an anchor into a box.
struct BoxCoder: Hashable {
  private let scaleX: Float
  private let scaleY: Float
  private let scaleWidth: Float
  private let scaleHeight: Float
  private let sizesAreLogarithms: Bool

  /// The scale factors for SSDs of the Object Detection API: 10, 10, 5, 5.
  static let objectDetectionAPI = BoxCoder(10, 10, 5, 5)
  /// EfficientDet's codes, which are unscaled.
  static let plain = BoxCoder(1, 1, 1, 1)

  private init(_ x: Float, _ y: Float, _ width: Float, _ height: Float) {
    scaleX = x
    scaleY = y
    scaleWidth = width
    scaleHeight = height
    sizesAreLogarithms = true
  }

  init(_ metadata: AnchorMetadata) {
    (scaleX, scaleY, scaleWidth, scaleHeight) = metadata.scales
    sizesAreLogarithms = metadata.sizesAreLogarithms
  }

  /// Returns the box, in fractions of the input, whose codes begin at `start`.
  func box(_ codes: [Float], at start: Int, anchor: AnchorLayout.Anchor) -> BoundingBox {
    let centerY = Double(codes[start] / scaleY * anchor.height + anchor.centerY)
    let centerX = Double(codes[start + 1] / scaleX * anchor.width + anchor.centerX)
    let height = codes[start + 2] / scaleHeight
    let width = codes[start + 3] / scaleWidth
    let boxHeight = Double((sizesAreLogarithms ? exp(height) : height) * anchor.height)
    let boxWidth = Double((sizesAreLogarithms ? exp(width) : width) * anchor.width)
    return BoundingBox(
      x: centerX - boxWidth / 2, y: centerY - boxHeight / 2, width: boxWidth, height: boxHeight)
  }
}
