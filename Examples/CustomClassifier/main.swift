// SPDX-License-Identifier: Apache-2.0

// The guide "Detect, track and classify objects with a custom classification model", on a photo.
//
//   swift run CustomClassifier [MODEL.tflite [PHOTO]]

import Foundation
import MLKit

let arguments = CommandLine.arguments
let localModelFilePath =
  arguments.count > 1 ? arguments[1] : "Sources/C/CEmbeddedModels/models/coarse_int8.tflite"
let photoPath = arguments.count > 2 ? arguments[2] : "Examples/photos/coffee.jpg"

// 1. Load the model.
let localModel = LocalModel(path: localModelFilePath)

// 2. Configure the detector: several objects in a still image.
let options = CustomObjectDetectorOptions(localModel: localModel)
options.detectorMode = .singleImage
options.shouldEnableClassification = true
options.shouldEnableMultipleObjects = true
options.classificationConfidenceThreshold = NSNumber(value: 0.5)
options.maxPerObjectLabelCount = 3

// 3. Prepare the image.
guard let photo = UIImage(contentsOfFile: photoPath) else {
  print("\(photoPath) is not an image that can be read.")
  exit(1)
}
let visionImage = VisionImage(image: photo)
visionImage.orientation = photo.imageOrientation

// 4. Run the detector. The completion is called on the main queue, which the run loop below serves.
let objectDetector = ObjectDetector.objectDetector(options: options)
objectDetector.process(visionImage) { objects, error in
  guard error == nil, let objects = objects, !objects.isEmpty else {
    print(error?.localizedDescription ?? "No objects.")
    exit(error == nil ? 0 : 1)
  }
  // 5. Print the objects.
  for object in objects {
    let frame = object.frame
    let description = object.labels.enumerated().map { (index, label) in
      "Label \(index): \(label.text), \(label.confidence), \(label.index)"
    }.joined(separator: "\n")
    print("Object at \(Int(frame.minX)), \(Int(frame.minY)), size \(Int(frame.width)) × \(Int(frame.height))")
    print(description.isEmpty ? "No label" : description)
  }
  exit(0)
}
RunLoop.main.run()
