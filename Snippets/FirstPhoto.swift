// SPDX-License-Identifier: Apache-2.0
//
// The program of docs/tutorials/first-photo.md.

import Foundation
import Fovea

let detector = try await ObjectDetector()
for object in try await detector.detect(in: .file("Examples/photos/coffee.jpg")) {
  let name = object.labels.first?.text ?? "object"
  let size = String(format: "%.0f × %.0f pixels", object.box.width, object.box.height)
  print(name, String(format: "%.2f", object.score), size)
}
