// SPDX-License-Identifier: Apache-2.0

import FoveaGeometry
import FoveaRuntime

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// Decodes box codes against anchors and suppresses doubles: class-agnostic SSD whose scores end in a sigmoid.
///
/// **Source:** Liu et al., "SSD: Single Shot MultiBox Detector", section 2.2; codes (ty, tx, th, tw) with the scales
/// 10, 10, 5, 5 of the TensorFlow Object Detection API's `faster_rcnn_box_coder.py`.
struct AnchorSSDDecoder: DetectionDecoder {
  let family = DetectorFamily.anchorSSD
  let hasClasses = false
  let maximumDetections: Int
  private let layout: AnchorLayout
  private let boxes: Int
  private let scores: Int

  private let iouThreshold: Double

  // The largest overlap that two answers may have.
  private static let defaultIoU = 0.6

  init?(recognizing model: DetectorRecognizer) {
    let outputs = model.signature.outputs
    guard outputs.count == 2, outputs.allSatisfy({ $0.elementType == .float32 }),
      let boxes = outputs.firstIndex(where: { $0.shape.count == 3 && $0.shape[0] == 1 && $0.shape[2] == 4 })
    else { return nil }
    let scores = 1 - boxes
    let count = outputs[boxes].shape[1]
    let scoreShape = outputs[scores].shape
    guard scoreShape == [1, count] || scoreShape == [1, count, 1],
      let input = model.signature.inputs.first?.shape, input.count == 4,
      let layout = AnchorLayout.all.first(where: {
        $0.anchors.count == count && $0.inputHeight == input[1] && $0.inputWidth == input[2]
      })
    else { return nil }
    self.layout = layout
    self.boxes = boxes
    self.scores = scores
    iouThreshold = model.suppression.iouThreshold ?? Self.defaultIoU
    maximumDetections = count
  }

  func decode(_ outputs: [[Float]], threshold: Float, limit: Int) throws(DetectionError) -> [Detection] {
    let codes = outputs[boxes]
    let scores = outputs[scores]
    // Boxes are decoded as Double pixels of a unit square, so that suppression works on the usual type.
    var candidates: [BoundingBox] = []
    var candidateScores: [Float] = []
    for index in layout.anchors.indices where scores[index] >= threshold {
      candidates.append(box(codes, at: index))
      candidateScores.append(scores[index])
    }
    let kept = nonMaximumSuppression(
      boxes: candidates, scores: candidateScores, threshold: iouThreshold, limit: limit)
    return kept.map { index in
      let box = candidates[index]
      return Detection(
        box: NormalizedBox(minX: box.minX, minY: box.minY, maxX: box.maxX, maxY: box.maxY),
        score: candidateScores[index], classIndex: nil)
    }
  }

  private func box(_ codes: [Float], at index: Int) -> BoundingBox {
    let anchor = layout.anchors[index]
    let centerY = Double(codes[index * 4] / 10 * anchor.height + anchor.centerY)
    let centerX = Double(codes[index * 4 + 1] / 10 * anchor.width + anchor.centerX)
    let height = Double(exp(codes[index * 4 + 2] / 5) * anchor.height)
    let width = Double(exp(codes[index * 4 + 3] / 5) * anchor.width)
    return BoundingBox(x: centerX - width / 2, y: centerY - height / 2, width: width, height: height)
  }
}
