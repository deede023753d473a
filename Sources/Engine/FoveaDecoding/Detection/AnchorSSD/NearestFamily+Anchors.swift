// SPDX-License-Identifier: Apache-2.0

import FoveaRuntime

extension NearestFamily {
  /// Compares two outputs, one of them boxes, with SSD and EfficientDet; nil for other outputs.
  init?(anchors signature: ModelSignature) {
    let outputs = signature.outputs
    guard outputs.count == 2, !outputs.contains(where: { $0.shape.count == 4 }),
      let boxes = outputs.first(where: { $0.shape.count == 3 && $0.shape[2] == 4 })
    else { return nil }
    let count = boxes.shape[1]
    let rows = outputs.first { $0 != boxes }?.shape.dropFirst().first
    guard rows == count else {
      self.init(.anchorSSD, "there are \(count) boxes, but scores for \(rows ?? 0)")
      return
    }
    guard let size = signature.inputs.first?.shape, size.count == 4, size[1] > 0, size[2] > 0 else {
      self.init(.anchorSSD, "the input is not an image of shape [1, height, width, 3]")
      return
    }
    let (width, height) = (size[2], size[1])
    let (ssd, pyramid, efficientDet) = (
      AnchorLayout.ssdCount(width: width, height: height),
      AnchorLayout.pyramidCount(width: width, height: height, perCell: 6),
      AnchorLayout.pyramidCount(width: width, height: height, perCell: 9)
    )
    let model = DetectorRecognizer(modelName: "", signature: signature, metadata: nil)
    // An SSD's scores may have no dimension for classes, and its number of anchors is near a known one.
    let isNear = [ssd, pyramid, efficientDet].contains { abs($0 - count) <= count / 10 }
    if !isNear, outputs.allSatisfy({ $0.shape.count == 3 }),
      RowBinding(model, isAsked: true)?.layouts(of: .detr).isEmpty == false
    {
      self.init(
        .detr,
        "there are \(count) rows, as a DETR may have for its queries; anchors known at \(width) × \(height)"
          + " are \(ssd) (SSD with six maps), \(pyramid) (SSD with a feature pyramid) and \(efficientDet)"
          + " (EfficientDet)",
        remedy: "Name the family if it is a DETR: \(option: "family", "detr"),"
          + " \(option: "family", "rt-detr") for RT-DETR, D-FINE and DEIM, or"
          + " \(option: "family", "detr-softmax") if its last class stands for no object. Export an SSD"
          + " with TFLite_Detection_PostProcess, or with the anchors in its metadata")
      return
    }
    let isEfficientDet = abs(efficientDet - count) < min(abs(ssd - count), abs(pyramid - count))
    self.init(
      isEfficientDet ? .efficientDet : .anchorSSD,
      "there are \(count) anchors; known at \(width) × \(height) are \(ssd) (SSD with six maps), \(pyramid)"
        + " (SSD with a feature pyramid) and \(efficientDet) (EfficientDet)",
      remedy: "Export the model with TFLite_Detection_PostProcess, or with the anchors in its metadata")
  }
}
