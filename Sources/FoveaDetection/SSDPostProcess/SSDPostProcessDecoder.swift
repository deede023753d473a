// SPDX-License-Identifier: Apache-2.0

import FoveaGeometry
import FoveaMetadata
import FoveaRuntime

/// Reads the four outputs of `TFLite_Detection_PostProcess`, which has decoded and suppressed boxes already.
///
/// **Source:** TensorFlow Lite, `detection_postprocess.cc`: boxes [1, N, 4] as (top, left, bottom, right) fractions,
/// classes [1, N], scores [1, N], count [1]. Metadata may name another order of the edges.
struct SSDPostProcessDecoder: DetectionDecoder {
  let family = DetectorFamily.ssdPostProcess
  let maximumDetections: Int
  let hasClasses: Bool
  let classCount: Int?
  private let modelName: String
  private let calibration: ScoreCalibration?
  private let roles: SSDOutputRoles
  private let layout: BoxEdgeLayout
  private let suppression: SuppressionOptions

  init?(recognizing model: DetectorRecognizer) throws(DetectionError) {
    guard
      let roles = SSDOutputRoles(
        signature: model.signature, metadata: model.metadata, autoML: model.hints.autoML)
    else { return nil }
    self.roles = roles
    modelName = model.modelName
    calibration = model.hints.calibration
    classCount = model.hints.postProcess?.classCount
    let rows = model.signature.outputs[roles.boxes].shape[1]
    maximumDetections = min(rows, model.hints.autoML?.maxDetections ?? rows)
    suppression = model.suppression
    let outputs = model.metadata?.outputs ?? []
    layout = try BoxEdgeLayout(
      content: outputs.indices.contains(roles.boxes) ? outputs[roles.boxes].content : nil,
      inputShape: model.signature.inputs.first?.shape ?? [], modelName: modelName)
    // A detector of things as such carries one class without a name of its own.
    hasClasses = true
  }

  func decode(_ outputs: [[Float]], threshold: Float, limit: Int) throws(DetectionError) -> [Detection] {
    let boxes = outputs[roles.boxes]
    let classes = outputs[roles.classes]
    let scores = outputs[roles.scores]
    let stated = outputs[roles.count].first ?? .nan
    guard stated >= 0, stated <= Float(scores.count) else {
      throw DetectionError(
        .invalidOutput,
        "'\(modelName)' answered \(stated) as its number of detections; it must be 0…\(scores.count)",
        remedy: "Check the model with the tool that exported it; its outputs may be in another order")
    }
    var found: [Detection] = []
    for index in 0..<Int(stated) where scores[index] >= threshold || calibration != nil {
      let value = classes[index]
      guard value >= 0, value < 1_000_000 else {
        throw DetectionError(
          .invalidOutput, "'\(modelName)' answered \(value) as the class of detection \(index)",
          remedy: "Check the model with the tool that exported it; its outputs may be in another order")
      }
      let score = calibration?.apply(scores[index], classIndex: Int(value)) ?? scores[index]
      guard score >= threshold else { continue }
      let box = layout.box(boxes, at: index * 4)
      // An edge that is not a number, or a box turned inside out, marks no place in the image.
      guard box.maxX > box.minX, box.maxY > box.minY else { continue }
      found.append(Detection(box: box, score: score, classIndex: Int(value)))
    }
    found.suppress(suppression, threshold: threshold)
    found.keepBest(limit)
    return found
  }
}
