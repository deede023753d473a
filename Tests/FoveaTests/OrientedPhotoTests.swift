// SPDX-License-Identifier: Apache-2.0

import Fovea
import FoveaTesting
import Testing

/// The same scene stored in eight ways must give the same objects.
@Suite(.enabled(if: SharedData.isPresent, "needs the shared test data (../shared/data)"))
struct OrientedPhotoTests {
  /// Confident objects are compared; with the SSD, which barely knows these scenes, the best one.
  ///
  /// The files are separate JPEG encodings, up to 4 of 255 apart on average, and a model's doubtful results
  /// depend on less than that.
  @Test(arguments: ["Landscape", "Portrait"], ["localizer", "coco"])
  func `eight orientations of a photo give the same objects`(_ name: String, _ kind: String) async throws {
    var options = ObjectDetector.Options()
    options.threshold = 0.15
    options.classifier = .none
    let detector =
      kind == "coco"
      ? try await ObjectDetector(
        model: .file(SharedData.path("models/detect/coco_ssd_mobilenet_v1_1.0_quant_2018_06_29.tflite")),
        options: options)
      : try await ObjectDetector(model: .embedded(.localizer), options: options)
    func upright(_ number: Int) async throws -> (
      objects: [DetectedObject], boxes: [BoundingBox], size: PixelSize
    ) {
      let result = try await detector.analyze(.file(SharedData.path("exif/recurser/\(name)_\(number).jpg")))
      #expect(result.orientation.exifValue == number)
      let boxes = result.objects.map {
        result.orientation.uprightBox(fromStored: $0.box, stored: result.size)
      }
      return (result.objects, boxes, result.orientation.uprightSize(ofStored: result.size))
    }
    let reference = try await upright(1)
    let best = try #require(reference.objects.first?.score)
    let sure = kind == "coco" ? best : 0.3
    #expect(best >= sure)
    for number in 2...8 {
      let turned = try await upright(number)
      #expect(turned.size == reference.size)
      let slackX = Double(reference.size.width) * 0.02
      let slackY = Double(reference.size.height) * 0.02
      for (object, box) in zip(reference.objects, reference.boxes) where object.score >= sure {
        let match = zip(turned.objects, turned.boxes).contains { other, otherBox in
          other.labels.first?.index == object.labels.first?.index
            && abs(otherBox.minX - box.minX) <= slackX && abs(otherBox.maxX - box.maxX) <= slackX
            && abs(otherBox.minY - box.minY) <= slackY && abs(otherBox.maxY - box.maxY) <= slackY
        }
        #expect(match, "orientation \(number): \(box)")
      }
    }
  }
}
