// SPDX-License-Identifier: Apache-2.0

import FoveaCore
import FoveaGeometry
import FoveaMetadata

extension DetectorFamily {
  /// YOLOX and others that were exported with their suppression: seven numbers per object.
  public static let yoloxSuppressed: DetectorFamily = .init(
    name: "yolox-nms",
    rule:
      "one output [K, 7]: the image's number, left, top, right, bottom, score, class,"
      + " in one of the usual orders",
    input: yolox.input, labels: .atLeast,
    recognize: { model, isAsked throws(DetectionError) in
      guard let decoder = SuppressedDecoder(recognizing: model, isAsked: isAsked) else { return nil }
      if !isAsked, SuppressedDecoder.canBeRotated(model.signature) {
        throw DetectionError(
          .ambiguousFamily,
          "\(model: model.modelName) can be of several families: yolox-nms, or yolov10 with rotated boxes"
            + " (-obb). It has \(model.tensorList)",
          remedy:
            "Name the family, yolox-nms or yolov10 (\(option: "family")), or export the model"
            + " with its description"
        )
      }
      return decoder
    })
}
