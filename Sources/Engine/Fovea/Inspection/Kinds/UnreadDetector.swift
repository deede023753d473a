// SPDX-License-Identifier: Apache-2.0

import FoveaCore
import FoveaDecoding
import FoveaRuntime

/// Detectors that are recognised by their tensors, but whose outputs Fovea does not read.
enum UnreadDetector {
  private static let faces: Advice =
    "Use MediaPipe's face_detection_short_range or face_detection_full_range, which Fovea reads"
  private static let palms: Advice =
    "Use MediaPipe's palm_detection_lite or palm_detection_full, which Fovea reads"

  /// **Source:** ipazc/mtcnn, `network/factory.py`; Star-Clouds/CenterFace; dlunion/DBFace;
  /// xingyizhou/CenterNet, `opts.py` (`ddd`, `multi_pose`); princeton-vl/CornerNet; MediaPipe,
  /// `face_detection_front.tflite` before 2021 and `palm_detection.tflite` of 2019.
  static func recognized(_ signature: ModelSignature) -> UnsupportedModel? {
    let outputs = signature.outputs.map(\.shape)
    guard signature.inputs.count == 1, let input = signature.inputs.first,
      let image = ImageShape([1] + input.shape.dropFirst()), outputs.allSatisfy({ $0.count > 1 })
    else { return nil }
    return stage(outputs, image) ?? maps(outputs, image) ?? lists(outputs)
  }

  /// Recognises the three networks of MTCNN; the second and third take crops from the one before.
  private static func stage(_ outputs: [[Int]], _ image: ImageShape) -> UnsupportedModel? {
    let side = image.width == image.height ? image.width : 0
    let counts = outputs.map { shape in
      shape.dropFirst().count { $0 > 1 } == 1 ? shape.dropFirst().max() ?? 0 : 0
    }
    switch (counts.sorted(), side) {
    case ([2, 4], 24): return mtcnn("second stage (R-Net), which takes crops from the first")
    case ([2, 4, 10], 48): return mtcnn("third stage (O-Net), which takes crops from the second")
    default: break
    }
    // Three convolutions of 3 × 3 without borders, and a pool after the first.
    guard let places = Places(outputs), places.channels == [2, 4],
      abs(places.width - (image.width / 2 - 5)) <= 1
    else { return nil }
    return mtcnn("first stage (P-Net), which needs the image in many sizes")
  }

  private static func mtcnn(_ stage: String) -> UnsupportedModel {
    UnsupportedModel("it is MTCNN's \(stage)", remedy: faces)
  }

  /// Recognises detectors that output maps with a quarter of the image's sides.
  private static func maps(_ outputs: [[Int]], _ image: ImageShape) -> UnsupportedModel? {
    guard let places = Places(outputs), places.isQuarter(of: image) else { return nil }
    let most = places.channels.last ?? 0
    return switch places.channels {
    case [1, 2, 2, 10]: UnsupportedModel("it is CenterFace, whose maps Fovea does not read", remedy: faces)
    case [1, 4, 10]: UnsupportedModel("it is DBFace, whose maps Fovea does not read", remedy: faces)
    case [1, 2, 2, 3, 3, 8]: centerNet("CenterNet for boxes in 3D")
    case [1, 2, 2, 2, 17, 34]: centerNet("CenterNet for key points")
    case [1, 1, 2, 2, most, most], [1, 1, 2, 2, 2, most, most, most]:
      centerNet("CornerNet or CenterNet for corners")
    default: nil
    }
  }

  private static func centerNet(_ variant: String) -> UnsupportedModel {
    UnsupportedModel(
      "it is \(variant), whose maps Fovea does not read",
      remedy: "Use a CenterNet for boxes, with maps of scores, sizes and offsets, or another detector")
  }

  /// Recognises detectors that output rows [1, A, numbers] for anchors.
  private static func lists(_ outputs: [[Int]]) -> UnsupportedModel? {
    guard outputs.allSatisfy({ $0.count == 3 && $0[0] == 1 }) else { return nil }
    let rows = outputs.map { (count: $0[1], numbers: $0[2]) }
    let boxes = rows.filter { $0.numbers > 1 }
    let scores = rows.filter { $0.numbers == 1 }
    guard let numbers = boxes.first?.numbers, boxes.allSatisfy({ $0.numbers == numbers }),
      boxes.map(\.count).sorted() == scores.map(\.count).sorted()
    else { return nil }
    switch (numbers, boxes.count) {
    case (16, 2) where boxes[0].count + boxes[1].count == 896:
      return UnsupportedModel(
        "it is an older BlazeFace, whose two levels are four outputs that Fovea does not read", remedy: faces)
    case (18, 1) where boxes[0].count != 2016:
      return UnsupportedModel(
        "it is an older palm detector of MediaPipe, which Fovea does not read", remedy: palms)
    default: return nil
    }
  }

  /// The maps of a detector, all of one size, [1, height, width, channels] or [1, channels, height, width].
  private struct Places {
    let width: Int
    let height: Int
    let channels: [Int]

    init?(_ outputs: [[Int]]) {
      guard outputs.count > 1, let first = outputs.first, outputs.allSatisfy({ $0.count == 4 }) else {
        return nil
      }
      for isPlanar in [false, true] {
        let (side, channel) = isPlanar ? (2, 1) : (1, 3)
        guard outputs.allSatisfy({ $0[side] == first[side] && $0[side + 1] == first[side + 1] }) else {
          continue
        }
        (height, width) = (first[side], first[side + 1])
        channels = outputs.map { $0[channel] }.sorted()
        return
      }
      return nil
    }

    func isQuarter(of image: ImageShape) -> Bool {
      (image.width + 3) / 4 == width && (image.height + 3) / 4 == height
    }
  }
}
