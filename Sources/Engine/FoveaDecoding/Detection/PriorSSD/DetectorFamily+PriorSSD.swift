// SPDX-License-Identifier: Apache-2.0

extension DetectorFamily {
  /// SSD without post-processing whose outputs include the anchors, as a third output or in each row.
  ///
  /// **Source:** stretched by TensorFlow's `resize_bilinear`, see `ImageTensorSpec.Sampling.twoTaps`.
  public static let priorSSD: DetectorFamily = .init(
    name: "ssd-priors",
    rule:
      "three outputs, box codes [1, A, 4], scores [1, A, C] and anchors [A, 4]; or one [1, A, C + 8]"
      + " or [1, A, C + 12] with the anchors, and their variances, in each row, A the number"
      + " of an SSD's anchors (8732 at 300 × 300)",
    input: DetectorInput(usesTwoTaps: true), labels: .atLeast, hasRawScores: true,
    recognize: { model, isAsked throws(DetectionError) in
      try PriorSSDDecoder(recognizing: model, isAsked: isAsked)
    })

  /// ST's SSDs: scores, offsets of edges and anchors as edges, in three outputs or joined in one row.
  ///
  /// **Source:** STMicroelectronics/stm32ai-modelzoo-services, `object_detection`, `decode_ssd_predictions`
  /// (stretched); IoU from its configurations (`NMS_thresh`).
  public static let edgeSSD: DetectorFamily = .init(
    name: "st-ssd", aliases: ["st-ssd-mobilenet-v1"],
    rule:
      "three outputs, scores [1, A, C], offsets [1, A, 4] and anchors [1, A, 4], or one [1, A, C + 8] in this"
      + " order, A five for each cell of ST's maps (3830 at 192 × 192, 5250 at 224 × 224)",
    input: DetectorInput(usesTwoTaps: true), labels: .oneForEachOrBackground, iou: 0.5,
    recognize: { model, isAsked in EdgeSSDDecoder(recognizing: model, isAsked: isAsked) })
}
