// SPDX-License-Identifier: Apache-2.0

import MLKit

func texts(_ path: String) throws -> [String] {
  guard let photo = UIImage(contentsOfFile: path) else { return [] }
  let options = ObjectDetectorOptions()
  options.shouldEnableClassification = true
  let objects = try ObjectDetector.objectDetector(options: options).results(in: VisionImage(image: photo))
  return objects.flatMap(\.labels).map(\.text)
}

func session() -> AVCaptureSession { AVCaptureSession() }
