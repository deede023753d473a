// SPDX-License-Identifier: Apache-2.0

// Loads the model that a parameter of the host names; the app's default is used if there is no host.
//
//   swift run ModelOfConfig [PHOTO]

import FirebaseRemoteConfig
import Foundation
import MLKit

let photoPath = CommandLine.arguments.count > 1 ? CommandLine.arguments[1] : "Examples/photos/coffee.jpg"

// 1. The app's default, and the host's value.
let config = RemoteConfig.remoteConfig()
config.setDefaults(["model_path": "Sources/C/CEmbeddedModels/models/coarse_int8.tflite" as NSString])
func update(_ config: RemoteConfig) async {
  do {
    try await config.fetchAndActivate()
  } catch {
    print("Using the default: \(error.localizedDescription)")
  }
}
await update(config)
let value = config.configValue(forKey: "model_path")
print("\(value.stringValue), \(value.source == .remote ? "from the host" : "the app's default")")

// 2. A detector with that model.
let options = CustomObjectDetectorOptions(localModel: LocalModel(path: value.stringValue))
options.detectorMode = .singleImage
options.shouldEnableClassification = true
guard let photo = UIImage(contentsOfFile: photoPath) else {
  print("\(photoPath) is not an image that can be read.")
  exit(1)
}
let image = VisionImage(image: photo)
image.orientation = photo.imageOrientation
let objects = try await ObjectDetector.objectDetector(options: options).process(image)
for object in objects { print(object.labels.first?.text ?? "No label") }
print("\(objects.count) objects")
