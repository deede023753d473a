// SPDX-License-Identifier: Apache-2.0

import FoveaRuntime

extension DetectorFamily {
  /// SSD without post-processing: box codes and scores per anchor, of a layout that is known or in the
  /// metadata.
  ///
  /// **Source:** stretched by TensorFlow's `resize_bilinear`, see `ImageTensorSpec.Sampling.twoTaps`.
  public static let anchorSSD: DetectorFamily = .init(
    name: "ssd-anchors",
    rule: "two outputs, box codes [1, A, 4] and scores [1, A, C], where A is the number of an SSD's anchors"
      + " (738 at 192 × 192, 1917 at 300 × 300, 2034 at 320 × 320, with a feature pyramid 12804), or its"
      + " metadata has A anchors",
    input: DetectorInput(usesTwoTaps: true), labels: .atLeast, hasRawScores: true, iou: 0.6,
    nearest: { NearestFamily(anchors: $0) },
    recognize: { model, _ throws(DetectionError) in try AnchorSSDDecoder(recognizing: model, as: .ssd) })

  /// EfficientDet without post-processing: box codes and logits for each anchor of levels 3 to 7.
  ///
  /// **Source:** stretched like `anchorSSD`.
  public static let efficientDet: DetectorFamily = .init(
    name: "efficientdet",
    rule: "two outputs, box codes [1, A, 4] and scores [1, A, C], where A is 9 for each cell of levels 3 to 7"
      + " (19206 at 320 × 320, 49104 at 512 × 512)",
    input: DetectorInput(usesTwoTaps: true), labels: .atLeast, hasRawScores: true,
    caution: { signature in
      guard signature.inputs.first?.shape.dropFirst().first == 640 else { return nil }
      return
        "another export if it is EfficientDet-Lite3x, whose anchors differ: at 640 pixels Lite4 is assumed"
    }, iou: 0.5,
    // No `nearest` here: that of `anchorSSD` covers both families.
    recognize: { model, _ throws(DetectionError) in
      try AnchorSSDDecoder(recognizing: model, as: .efficientDet)
    })
}
