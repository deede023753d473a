// SPDX-License-Identifier: Apache-2.0

import FoveaGeometry
import FoveaMetadata
import FoveaRuntime

extension DetectorInput {
  /// The input of MediaPipe's detectors: letterboxed in the middle with black bars, sampled with two taps.
  fileprivate static func mediaPipe(_ normalization: Normalization) -> DetectorInput {
    DetectorInput(letterbox: Letterbox(.center, padding: 0), normalization: normalization, usesTwoTaps: true)
  }
}

extension DetectorFamily {
  /// MediaPipe's face detectors, short and full range: a raw box with six keypoints and a score per anchor.
  ///
  /// **Source:** MediaPipe, `face_detection.pbtxt` (centre, black bars; −1…1).
  public static let mediaPipeFace: DetectorFamily = .init(
    name: "mediapipe-face", aliases: ["blazeface"],
    rule:
      "two outputs, boxes [1, A, 16] and scores [1, A, 1], where A is 896 at 128 × 128 or 256 × 256, and 2304"
      + " at 192 × 192",
    input: .mediaPipe(.symmetric),
    labels: .oneForEachOrBackground, iou: 0.3, threshold: 0.5, classNames: ["face"],
    nearest: { MediaPipeLayout.nearest(.mediaPipeFace, values: 16, $0) },
    recognize: { model, _ in MediaPipeDecoder(recognizing: model, as: .mediaPipeFace) })

  /// MediaPipe's palm detector: a raw box with seven keypoints and a score per anchor.
  ///
  /// **Source:** MediaPipe, `palm_detection_cpu.pbtxt` (centre, black bars; 0…1).
  public static let mediaPipePalm: DetectorFamily = .init(
    name: "mediapipe-palm", rule: "two outputs, boxes [1, 2016, 18] and scores [1, 2016, 1], at 192 × 192",
    input: .mediaPipe(.fractions),
    labels: .oneForEachOrBackground, iou: 0.3, threshold: 0.5, classNames: ["palm"],
    nearest: { MediaPipeLayout.nearest(.mediaPipePalm, values: 18, $0) },
    recognize: { model, _ in MediaPipeDecoder(recognizing: model, as: .mediaPipePalm) })

  /// MediaPipe's body detector, the first stage of BlazePose: a raw box with four keypoints and a score per
  /// anchor.
  ///
  /// The box encloses the face. The keypoints are the middle of the hips and a point at the edge of the
  /// circle around the whole body, then the same of the shoulders and the upper body; landmark models cut out
  /// these circles.
  ///
  /// **Source:** MediaPipe, `pose_detection_cpu.pbtxt` (centre, black bars; −1…1).
  public static let mediaPipePose: DetectorFamily = .init(
    name: "mediapipe-pose", aliases: ["blazepose"],
    rule:
      "two outputs, boxes [1, A, 12] and scores [1, A, 1], A being 2254 at 224 × 224 and 896 at 128 × 128",
    input: .mediaPipe(.symmetric),
    labels: .oneForEachOrBackground, iou: 0.3, threshold: 0.5, classNames: ["person"],
    nearest: { MediaPipeLayout.nearest(.mediaPipePose, values: 12, $0) },
    recognize: { model, _ in MediaPipeDecoder(recognizing: model, as: .mediaPipePose) })
}

extension MediaPipeLayout {
  /// Returns the family for raw boxes with keypoints, but an unknown number of anchors; nil for other
  /// outputs.
  fileprivate static func nearest(
    _ family: DetectorFamily, values: Int, _ signature: ModelSignature
  ) -> NearestFamily? {
    let shapes = signature.outputs.map(\.shape)
    guard shapes.count == 2, let boxes = shapes.first(where: { $0.count == 3 && $0[2] == values }),
      let scores = shapes.first(where: { $0 != boxes }),
      scores == [1, boxes[1], 1] || scores == [1, boxes[1]]
    else { return nil }
    let counts = known.filter { $0.family == family }.map { "\($0.count) at \($0.side) × \($0.side)" }
    return NearestFamily(
      family, "there are \(boxes[1]) anchors; known are \(counts.joined(separator: ", "))",
      remedy: "Use the model as MediaPipe publishes it, with its own input size")
  }
}
