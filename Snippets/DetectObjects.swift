// SPDX-License-Identifier: Apache-2.0
//
// Finds the objects of an image with the embedded models.
//
//     swift run DetectObjects street.jpg

import Fovea

let path = CommandLine.arguments.dropFirst().first ?? "Examples/photos/coffee.jpg"

let detector = try await ObjectDetector()
let objects: [DetectedObject] = try await detector.detect(in: .file(path))

print("\(path): \(objects.count) objects")
for object in objects {
  let name = object.labels.first?.text ?? "something"
  print("  \(name), score \(object.score), \(object.box.width) × \(object.box.height) pixels")
}
