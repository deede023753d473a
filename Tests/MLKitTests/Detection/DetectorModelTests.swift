// SPDX-License-Identifier: Apache-2.0

import AppleShims
import Foundation
import FoveaTesting
import MLKit
import Testing

/// A detection model instead of ML Kit's classifier, on a photo with more than five objects.
@Suite(.onOwnThread, .enabled(if: SharedData.isPresent, Comment(rawValue: SharedData.missing)))
struct DetectorModelTests {
  static func objects(_ options: CustomObjectDetectorOptions, _ photo: String) throws -> [Object] {
    try ObjectDetector.objectDetector(options: options).results(in: VisionImage(image: Photo.shared(photo)))
  }

  @Test("Of more than five objects five are reported, all if requested, or the most prominent one")
  func counts() throws {
    let options = Options.custom(SharedModel.coco)
    #expect(try Self.objects(options, "tfls_multi_objects.jpg").count == 5)
    options.maxObjectCount = 0
    #expect(try Self.objects(options, "tfls_multi_objects.jpg").count == 5)
    options.maxObjectCount = 300
    #expect(try Self.objects(options, "tfls_multi_objects.jpg").count > 5)
    options.shouldEnableMultipleObjects = false
    #expect(try Self.objects(options, "tfls_multi_objects.jpg").count == 1)
  }

  @Test("The same counts hold in stream mode")
  func streamCounts() throws {
    for (multiple, limit, expected) in [(true, 5, 1...5), (true, 3, 1...3), (false, 5, 1...1)] {
      let options = Options.custom(SharedModel.coco, .stream, multiple: multiple)
      options.maxObjectCount = limit
      options.classificationConfidenceThreshold = 0.2
      let detector = ObjectDetector.makeIsolated(options: options)
      let objects = try detector.results(in: VisionImage(image: Photo.shared("tfls_multi_objects.jpg")))
      #expect(expected.contains(objects.count))
      #expect(objects.compactMap { $0.trackingID?.intValue }.sorted() == Array(0..<objects.count))
    }
  }

  @Test("An object has the class of the model, and none if classification is off")
  func classes() throws {
    let options = Options.custom(SharedModel.coco)
    let labelled = try Self.objects(options, "tfls_cats_and_dogs.jpg")
    #expect(labelled.first?.labels.map(\.text) == ["cat"])
    options.shouldEnableClassification = false
    let bare = try Self.objects(options, "tfls_cats_and_dogs.jpg")
    #expect(bare.map(\.frame) == labelled.map(\.frame))
    #expect(bare.allSatisfy { $0.labels.isEmpty })
  }

  @Test("The threshold applies to the objects")
  func threshold() throws {
    let options = Options.custom(SharedModel.coco)
    options.maxObjectCount = 50
    options.classificationConfidenceThreshold = 0.55
    let objects = try Self.objects(options, "tfls_multi_objects.jpg")
    #expect(!objects.isEmpty && objects.count < 5)
    #expect(objects.allSatisfy { $0.labels.first.map { $0.confidence >= 0.55 } == true })
  }

  @Test("A followed object shows no label with a confidence below the threshold")
  func streamThreshold() throws {
    let options = Options.custom(SharedModel.coco, .stream)
    options.classificationConfidenceThreshold = 0.58
    let detector = ObjectDetector.makeIsolated(options: options)
    var labelled = 0
    for photo in ["tfls_cats_and_dogs.jpg", "tfls_multi_objects.jpg", "tfls_multi_objects.jpg"] {
      let labels = try detector.results(in: VisionImage(image: Photo.shared(photo))).flatMap(\.labels)
      #expect(labels.allSatisfy { $0.confidence >= 0.58 })
      labelled += labels.count
    }
    #expect(labelled > 0)
  }

  @Test("A detector without metadata finds the same, without names")
  func noMetadata() throws {
    let path = SharedData.path("models/detect/coco_ssd_mobilenet_v1_1.0_quant_2018_06_29_no_metadata.tflite")
    let objects = try Self.objects(Options.custom(path), "tfls_cats_and_dogs.jpg")
    #expect(!objects.isEmpty)
    #expect(objects.allSatisfy { $0.labels.first?.text == "" })
  }
}
