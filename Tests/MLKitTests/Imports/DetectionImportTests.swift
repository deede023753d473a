// SPDX-License-Identifier: Apache-2.0

import FoveaTesting
import MLKitObjectDetectionCustom
import Testing

/// Compiling is the test: the one import provides each type in an app's code.
@Suite(.onOwnThread) struct DetectionImportTests {
  private func visionImage(_ image: UIImage) -> VisionImage {
    let visionImage = VisionImage(image: image)
    visionImage.orientation = image.imageOrientation
    return visionImage
  }

  private func objects(in image: VisionImage, model: String) throws -> [Object] {
    let options = CustomObjectDetectorOptions(localModel: LocalModel(path: model))
    options.detectorMode = .singleImage
    return try ObjectDetector.objectDetector(options: options).results(in: image)
  }

  @Test("Importing only the module of custom detectors is enough, for errors too")
  func alone() {
    _ = visionImage
    let error = #expect(throws: MLKitError.self) {
      try objects(in: Photo.image("cat"), model: "file:///no/such/model.tflite")
    }
    #expect(error.map { !$0.remedy.isEmpty } == true)
  }
}
