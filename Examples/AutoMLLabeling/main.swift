// SPDX-License-Identifier: Apache-2.0

// The guide "Label images with an AutoML-trained model", from the manifest of an AutoML Vision Edge export.
//
//   swift run AutoMLLabeling manifest.json [PHOTO…]

import Foundation
import MLKit

let given = Array(CommandLine.arguments.dropFirst())
guard let manifestPath = given.first else {
  print("usage: AutoMLLabeling manifest.json [PHOTO…]")
  exit(64)
}
let photos = given.count > 1 ? Array(given.dropFirst()) : ["Examples/photos/coffee.jpg"]

// 1. Load the model. The result is nil if the manifest is missing or invalid; the labeler reports it when it
//   runs.
let localModel = LocalModel(manifestPath: manifestPath)

// 2. Create a labeler.
let options = CustomImageLabelerOptions(localModel: localModel)
options.confidenceThreshold = NSNumber(value: 0.1)
let imageLabeler = ImageLabeler.imageLabeler(options: options)

for path in photos {
  guard let uiImage = UIImage(contentsOfFile: path) else {
    print("\(path) is not an image that can be read.")
    exit(1)
  }
  // 3. Prepare the image and run the labeler.
  let image = VisionImage(image: uiImage)
  image.orientation = uiImage.imageOrientation
  var labels: [ImageLabel]
  do {
    labels = try imageLabeler.results(in: image)
  } catch let error {
    print(error.localizedDescription)
    exit(1)
  }
  print(path)
  for label in labels {
    let labelText = label.text
    let confidence = label.confidence
    let index = label.index
    print("  \(labelText) \(String(format: "%.2f", confidence)) (\(index))")
  }
}
