// SPDX-License-Identifier: Apache-2.0

import FoveaCore
import FoveaGeometry
import FoveaMetadata
import FoveaRuntime

/// Reads the four outputs of `TFLite_Detection_PostProcess`, which has decoded and suppressed the boxes.
///
/// **Source:** TensorFlow Lite, `detection_postprocess.cc`: boxes [1, N, 4] as (top, left, bottom, right)
/// fractions, classes [1, N], scores [1, N], count [1]. Metadata may set another order of the edges.
struct SSDPostProcessDecoder: DetectionDecoder {
  let family = DetectorFamily.ssdPostProcess
  let maximumDetections: Int
  let classCount: Int?
  private let modelName: String
  private let calibration: ScoreCalibration?
  private let roles: SSDOutputRoles
  private let layout: BoxEdgeLayout
  private let suppression: SuppressionOptions
  /// The maximum distance of the number of detections from a whole number: half a step if it is quantised.
  private let countRounding: Float

  init?(recognizing model: DetectorRecognizer) throws(DetectionError) {
    guard
      let roles = SSDOutputRoles(signature: model.signature, metadata: model.metadata, hints: model.hints)
    else { return nil }
    self.roles = roles
    modelName = model.modelName
    calibration = model.hints.calibration
    classCount = model.hints.postProcess?.classCount
    let rows = model.signature.outputs[roles.boxes].shape[1]
    maximumDetections = min(rows, model.hints.autoML?.maxDetections ?? rows)
    suppression = model.suppression
    countRounding = max(SSDRows.rounding, (model.signature.outputs[roles.count].step ?? 0) / 2)
    let outputs = model.metadata?.outputs ?? []
    layout = try BoxEdgeLayout(
      content: outputs.indices.contains(roles.boxes) ? outputs[roles.boxes].content : nil,
      inputShape: model.signature.inputs.first?.shape ?? [], modelName: modelName)
  }

  func decode(_ outputs: [[Float]], threshold: Float, limit: Int) throws(DetectionError) -> [Detection] {
    let boxes = outputs[roles.boxes]
    let stated = outputs[roles.count].first ?? .nan
    let count = stated.rounded()
    guard count >= 0, count <= Float(outputs[roles.scores].count), abs(stated - count) <= countRounding else {
      throw invalid(
        "\(stated.shown) as its number of detections, expected a whole number from 0 to"
          + " \(outputs[roles.scores].count)")
    }
    let rows = SSDRows(outputs, roles, count: Int(count))
    var found: [Detection] = []
    for index in 0..<rows.count {
      let value = rows.classes[index]
      let classIndex = SSDRows.isClass(value) ? Int(value.rounded()) : 0
      var score = rows.scores[index]
      // A calibration could make a score of NaN.
      if let calibration, isScore(score, areLogits: true) {
        score = calibration.apply(score, classIndex: classIndex)
      }
      guard SSDRows.isScore(score) else {
        throw invalid("\(score.shown) as the score of detection \(index), expected 0 to 1")
      }
      // Unused rows of a fixed-size output may have the class −1.
      guard SSDRows.isClass(value) || !(score >= threshold) && !(value > 0) else {
        throw invalid("\(value.shown) as the class of detection \(index), expected a whole number from 0")
      }
      guard score >= threshold else { continue }
      let edges = boxes[(index * 4)..<(index * 4 + 4)]
      if let edge = edges.first(where: \.isInfinite) {
        throw invalid("\(edge) as an edge of the box of detection \(index), expected a finite number")
      }
      let box = layout.box(boxes, at: index * 4)
      // A box with a NaN edge marks no region of the image.
      guard !(box.minX + box.minY + box.maxX + box.maxY).isNaN else { continue }
      let size = min(box.maxX - box.minX, box.maxY - box.minY)
      // An empty box may be slightly inverted by rounding.
      guard size >= -Double(SSDRows.rounding), !BoxUnit.isBeyondFractions(box) else {
        throw unusable(Array(edges), of: index, isInverted: size < -Double(SSDRows.rounding))
      }
      guard box.maxX > box.minX, box.maxY > box.minY else { continue }
      found.append(Detection(box: box, score: min(max(score, 0), 1), classIndex: classIndex))
    }
    found.suppress(suppression, threshold: threshold)
    found.keepBest(limit)
    return found
  }

  /// The error of a box that is not in fractions of the image, or that is inverted: its numbers have another
  /// unit or order.
  private func unusable(_ numbers: [Float], of index: Int, isInverted: Bool) -> DetectionError {
    invalid(
      "\(numbers) as the box of detection \(index), "
        + (isInverted ? "which has a negative size" : "expected fractions of the image"),
      remedy: "Export the model with boxes of top, left, bottom and right in fractions of the image")
  }

  private func invalid(
    _ answer: String,
    remedy: Advice = "Check the model with the tool that exported it; its outputs may be in another order"
  ) -> DetectionError {
    DetectionError(.invalidOutput, "'\(modelName)' returned \(answer)", remedy: remedy)
  }
}
