// SPDX-License-Identifier: Apache-2.0

import Foundation
import FoveaTesting

/// The figures of pycocotools for the random cases; written by Fixtures/make-pycocotools-figures.py.
struct PycocotoolsFigures: Decodable {
  struct Case: Decodable {
    var metrics: [Double?]
    var categories: [Double?]
    var agnostic: [Double?]
    var detections: Int
    var annotations: Int
  }

  var pycocotools: String
  var cases: [Case]

  static func read() throws -> PycocotoolsFigures {
    try JSONDecoder().decode(PycocotoolsFigures.self, from: fixture("pycocotools.json"))
  }

  /// The names of the golden detections.
  static let goldens = [
    "coco_ssd_mobilenet_v1.litert-pillow", "coco_ssd_mobilenet_v1.mediapipe", "yolox_nano.litert-pillow",
  ]

  struct Goldens: Decodable {
    struct Figures: Decodable {
      var metrics: [Double?]
      var categories: [Double?]
      var agnostic: [Double?]
    }
    var pycocotools: String
    var goldens: [String: Figures]
  }

  static func readGoldens() throws -> Goldens {
    try JSONDecoder().decode(Goldens.self, from: fixture("goldens.json"))
  }

  private static func fixture(_ name: String) throws -> Data {
    let path = PackageRoot.path + "/Tests/FoveaEvaluationTests/Fixtures/" + name
    return try Data(contentsOf: URL(fileURLWithPath: path))
  }
}
