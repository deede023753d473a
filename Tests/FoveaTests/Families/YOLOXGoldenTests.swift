// SPDX-License-Identifier: Apache-2.0

import Foundation
import Fovea
import FoveaTesting
import Testing

/// The public YOLOX-Nano on COCO images, compared with the same model under LiteRT and Pillow.
@Suite(.enabled(if: SharedData.isPresent, "needs the shared test data (../shared/data)"))
struct YOLOXGoldenTests {
  struct Golden: Decodable {
    var image: Int
    var category: Int
    var bbox: [Double]
    var score: Float

    enum CodingKeys: String, CodingKey {
      case bbox, score
      case image = "image_id"
      case category = "category_id"
    }
  }

  /// COCO's category ids, which have gaps, in the order of the model's 80 classes.
  static let categories = (1...90).filter { ![12, 26, 29, 30, 45, 66, 68, 69, 71, 83].contains($0) }

  @Test func `confident results match the reference`() async throws {
    let goldens = try JSONDecoder().decode(
      [Golden].self, from: Data(SharedData.bytes("goldens/coco/yolox_nano.litert-pillow.detections.json")))
    var options = ObjectDetector.Options()
    options.labelFile = SharedData.path("models/detect/yolo_coco80_labels.txt")
    // The golden's own.
    options.threshold = 0.01
    options.maxObjects = 100
    options.suppression.iouThreshold = 0.65
    let detector = try await ObjectDetector(
      model: .file(SharedData.path("models/detect/yolox_nano.tflite")), options: options)
    var compared = 0
    for image in [790, 5001, 6818] {
      let name = String(format: "coco/images/%012d.jpg", image)
      let objects = try await detector.detect(in: .file(SharedData.path(name)))
      #expect(objects.count <= 100)
      for golden in goldens where golden.image == image && golden.score >= 0.4 {
        let box = BoundingBox(
          x: golden.bbox[0], y: golden.bbox[1], width: golden.bbox[2], height: golden.bbox[3])
        compared += 1
        // JPEG decoder and filter differ: a few of 255 in the input.
        let match = objects.contains { object in
          Self.categories[object.labels.first?.index ?? 0] == golden.category
            && object.box.iou(with: box) > 0.9 && abs(object.score - golden.score) < 0.08
        }
        #expect(match, "\(image): \(golden)")
      }
    }
    #expect(compared >= 5)
  }
}
