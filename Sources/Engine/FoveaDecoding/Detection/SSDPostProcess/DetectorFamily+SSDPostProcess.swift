// SPDX-License-Identifier: Apache-2.0

import FoveaRuntime

extension DetectorFamily {
  /// SSD with the operator `TFLite_Detection_PostProcess`: four outputs, boxes, classes, scores and count.
  ///
  /// **Source:** stretched by TensorFlow's `resize_bilinear`, see `ImageTensorSpec.Sampling.twoTaps`.
  public static let ssdPostProcess: DetectorFamily = .init(
    name: "ssd-postprocess",
    rule: "four float outputs: boxes [1, N, 4], classes [1, N], scores [1, N], count [1]",
    input: DetectorInput(usesTwoTaps: true), labels: .atLeast,
    nearest: { signature in
      let outputs = signature.outputs
      guard outputs.count == 4, outputs.contains(where: { ![4, 5].contains($0.shape.count) }) else {
        return nil
      }
      return NearestFamily(.ssdPostProcess, difference(outputs))
    },
    recognize: { model, _ throws(DetectionError) in try SSDPostProcessDecoder(recognizing: model) })

  /// Returns the difference between these outputs and the operator's.
  private static func difference(_ outputs: [TensorDescription]) -> String {
    if let odd = outputs.first(where: { $0.elementType != .float32 && $0.quantization == .none }) {
      return "\(odd) is not float32"
    }
    guard let boxes = outputs.first(where: { $0.shape.count == 3 && $0.shape[2] == 4 }) else {
      return "no output is [1, N, 4]"
    }
    return "besides the boxes \(boxes) two outputs of \(boxes.shape[1]) values and one of 1 value are missing"
  }
}
