// SPDX-License-Identifier: Apache-2.0

import AppleShims
import Foundation
import FoveaTesting
import MLKit
import Testing

/// Images that tests process.
enum Photo {
  /// A bundled photo, by its name without the extension.
  static func bundled(_ name: String) throws -> UIImage {
    try #require(UIImage(contentsOfFile: "\(PackageRoot.path)/Examples/photos/\(name).jpg"))
  }

  /// The file of a bundled photo.
  static func url(_ name: String) -> URL {
    URL(fileURLWithPath: "\(PackageRoot.path)/Examples/photos/\(name).jpg")
  }

  /// A photo of the shared data.
  static func shared(_ name: String) throws -> UIImage {
    try #require(UIImage(contentsOfFile: SharedData.path("photos/\(name)")))
  }

  /// A bundled photo as an image.
  static func image(_ name: String) throws -> VisionImage { VisionImage(image: try bundled(name)) }
}

/// Models of the shared data.
enum SharedModel {
  static let bird = SharedData.path("models/classify/mlkit_bird.tflite")
  static let coco = SharedData.path("models/detect/coco_ssd_mobilenet_v1_1.0_quant_2018_06_29.tflite")
  static let autoML = SharedData.path("models/classify/mlkit_automl/automl_labeler_manifest.json")
  static let autoMLFolder = SharedData.path("models/classify/mlkit_automl")
}
