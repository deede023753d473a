// SPDX-License-Identifier: Apache-2.0

// The guide "Detect and track objects with ML Kit" of Firebase ML, on photos: five coarse categories.
//
//   swift run CoarseCategories [PHOTO…]

import Firebase
import Foundation

FirebaseApp.configure()

// 1. Configure the detector: several objects in a still image.
let options = VisionObjectDetectorOptions()
options.detectorMode = .singleImage
options.shouldEnableMultipleObjects = true
options.shouldEnableClassification = true

let objectDetector = Vision.vision().objectDetector(options: options)

let given = Array(CommandLine.arguments.dropFirst())
for path in given.isEmpty ? ["Examples/photos/coffee.jpg", "Examples/photos/cat.jpg"] : given {
  guard let uiImage = UIImage(contentsOfFile: path) else {
    print("\(path) is not an image that can be read.")
    exit(1)
  }
  // 2. Run the detector.
  let image = VisionImage(image: uiImage)
  do {
    let detectedObjects = try objectDetector.results(in: image)
    print(path)
    for obj in detectedObjects {
      let bounds = obj.frame
      print(
        "  \(name(of: obj.classificationCategory))",
        obj.confidence.map { String(format: "%.2f", $0.floatValue) } ?? "–",
        "at \(Int(bounds.minX)), \(Int(bounds.minY)), size \(Int(bounds.width)) × \(Int(bounds.height))")
    }
  } catch let error {
    print("Failed to detect object with error: \(error.localizedDescription)")
    exit(1)
  }
}

func name(of category: VisionObjectCategory) -> String {
  switch category {
  case .homeGoods: "home goods"
  case .fashionGoods: "fashion goods"
  case .food: "food"
  case .places: "places"
  case .plants: "plants"
  case .unknown: "unknown"
  }
}
