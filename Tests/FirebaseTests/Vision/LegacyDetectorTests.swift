// SPDX-License-Identifier: Apache-2.0

import AppleShims
import Firebase
import Foundation
import FoveaCompatibility
import FoveaGeometry
import FoveaImage
import FoveaTesting
import Testing

/// The legacy detector of Firebase's names on bundled photos.
@Suite(.onOwnThread) struct LegacyDetectorTests {
  static func image(_ name: String) throws -> VisionImage {
    VisionImage(
      image: try #require(UIImage(contentsOfFile: "\(PackageRoot.path)/Examples/photos/\(name).jpg")))
  }

  static func options(
    _ mode: VisionObjectDetectorMode, classification: Bool = false, multiple: Bool = false
  ) -> VisionObjectDetectorOptions {
    let options = VisionObjectDetectorOptions()
    options.detectorMode = mode
    options.shouldEnableClassification = classification
    options.shouldEnableMultipleObjects = multiple
    return options
  }

  @Test("Options have Firebase's defaults: a stream, one object, no categories")
  func defaults() {
    let options = VisionObjectDetectorOptions()
    #expect(options.detectorMode == .stream)
    #expect(!options.shouldEnableClassification)
    #expect(!options.shouldEnableMultipleObjects)
  }

  @Test("Without classification the category is unknown and there is no confidence")
  func classificationOff() throws {
    let detector = Vision.vision().objectDetector(options: Self.options(.singleImage))
    let object = try #require(try detector.results(in: Self.image("coffee")).first)
    #expect(object.classificationCategory == .unknown)
    #expect(object.confidence == nil)
    #expect(object.trackingID == nil)
  }

  @Test("A category has the legacy number, by its name")
  func category() throws {
    let detector = Vision.vision().objectDetector(
      options: Self.options(.singleImage, classification: true))
    let object = try #require(try detector.results(in: Self.image("coffee")).first)
    #expect(object.classificationCategory == .homeGoods)
    #expect(object.classificationCategory.rawValue == 1)
    #expect(try #require(object.confidence).floatValue > 0.5)
    let cat = try #require(try detector.results(in: Self.image("cat")).first)
    #expect(cat.classificationCategory == .unknown)
    #expect(cat.confidence == nil)
  }

  @Test("The categories have Firebase's numbers")
  func numbers() {
    #expect(VisionObjectCategory.allCases.map(\.rawValue) == Array(0...5))
    #expect(VisionObjectCategory(rawValue: 2) == .fashionGoods)
    #expect(VisionObjectCategory(rawValue: 5) == .plants)
  }

  @Test("The default detector follows one object of a stream, with identities from 0")
  func stream() throws {
    let detector: FirebaseVisionObjectDetector = Vision.vision(app: try #require(FirebaseApp.app()))
      .objectDetector()
    for _ in 0..<2 {
      let objects = try detector.results(in: Self.image("photographer"))
      #expect(objects.map { $0.trackingID?.intValue } == [0])
    }
  }

  @Test("All three kinds of call give the same")
  func ways() async throws {
    let detector = Vision.vision().objectDetector(options: Self.options(.singleImage, multiple: true))
    let image = try Self.image("astronaut")
    let waited = try detector.results(in: image).map(\.frame)
    #expect((2...5).contains(waited.count))
    #expect(try await detector.process(image).map(\.frame) == waited)
    let called: [CGRect]? = await withCheckedContinuation { continuation in
      detector.process(image) { objects, error in
        continuation.resume(returning: error == nil ? objects?.map(\.frame) : nil)
      }
    }
    #expect(called == waited)
  }

  @Test("An image without pixels is an error with a text")
  func badImage() throws {
    let detector = Vision.vision().objectDetector(options: Self.options(.singleImage))
    let image = VisionImage(buffer: CMSampleBuffer(imageBuffer: nil))
    let error = #expect(throws: MLError.self) { try detector.results(in: image) }
    #expect(error?.code == .invalidArgument)
    #expect(error?.localizedDescription.hasPrefix("The sample buffer has no image buffer") == true)
  }

  @Test("No usage is counted")
  func stats() {
    let vision = Vision.vision()
    vision.isStatsCollectionEnabled = true
    #expect(!vision.isStatsCollectionEnabled)
  }
}
