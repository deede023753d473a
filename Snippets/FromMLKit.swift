// SPDX-License-Identifier: Apache-2.0
//
// The program of docs/tutorials/from-ml-kit.md.

import Foundation
import MLKit

guard let photo = UIImage(contentsOfFile: "Examples/photos/coffee.jpg") else { exit(1) }
let image = VisionImage(image: photo)
image.orientation = photo.imageOrientation

let options = ObjectDetectorOptions()
options.detectorMode = .singleImage
options.shouldEnableMultipleObjects = true
options.shouldEnableClassification = true

let detector = ObjectDetector.objectDetector(options: options)
detector.process(image) { objects, error in
  if let error { print(error.localizedDescription) }
  for object in objects ?? [] {
    let name = object.labels.first?.text ?? "object"
    print(name, "at", Int(object.frame.minX), Int(object.frame.minY))
  }
  exit(error == nil ? 0 : 1)
}
RunLoop.main.run()
