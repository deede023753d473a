// SPDX-License-Identifier: Apache-2.0

import AppleShims
import Foundation
import FoveaTesting
import MLKit
import Testing

/// The embedded localizer and the coarse categories on bundled photos.
@Suite(.onOwnThread) struct CoarseDetectorTests {
  @Test("Options have ML Kit's defaults: a stream, one object, no labels, at most five objects")
  func defaults() {
    let options = ObjectDetectorOptions()
    #expect(options.detectorMode == .stream)
    #expect(!options.shouldEnableClassification)
    #expect(!options.shouldEnableMultipleObjects)
    #expect(options.maxObjectCount == 5)
  }

  @Test("A single image has its most prominent object, without label and tracking id")
  func singleObject() throws {
    let detector = ObjectDetector.objectDetector(options: Options.coarse(.singleImage))
    let objects = try detector.results(in: Photo.image("astronaut"))
    let object = try #require(objects.first)
    #expect(objects.count == 1)
    #expect(object.labels.isEmpty)
    #expect(object.trackingID == nil)
    #expect(object.frame.width > 100)
  }

  @Test("A single image has at most five objects, the most confident first")
  func multipleObjects() throws {
    let options = Options.coarse(.singleImage, multiple: true)
    let objects = try ObjectDetector.objectDetector(options: options).results(in: Photo.image("astronaut"))
    #expect((2...5).contains(objects.count))
    #expect(objects.allSatisfy { $0.trackingID == nil })
    options.maxObjectCount = 2
    let two = try ObjectDetector.objectDetector(options: options).results(in: Photo.image("astronaut"))
    #expect(two.map(\.frame) == objects.prefix(2).map(\.frame))
  }

  @Test("A label is a coarse category with ML Kit's index")
  func label() throws {
    let detector = ObjectDetector.objectDetector(options: Options.coarse(.singleImage, classification: true))
    let label = try #require(try detector.results(in: Photo.image("coffee")).first?.labels.first)
    #expect(label.text == DetectedObjectLabel.homeGood.rawValue)
    #expect(label.index == DetectedObjectLabelIndex.homeGood.rawValue)
    #expect(label.confidence > 0.5 && label.confidence <= 1)
  }

  @Test("An object in none of the categories has no label")
  func unknownObject() throws {
    let detector = ObjectDetector.objectDetector(options: Options.coarse(.singleImage, classification: true))
    let objects = try detector.results(in: Photo.image("cat"))
    #expect(objects.count == 1)
    #expect(objects.allSatisfy { $0.labels.isEmpty })
  }

  @Test("A later change of the options does not affect the detector")
  func snapshot() throws {
    let options = Options.coarse(.singleImage)
    let detector = ObjectDetector.objectDetector(options: options)
    options.detectorMode = .stream
    options.shouldEnableClassification = true
    let object = try #require(try detector.results(in: Photo.image("coffee")).first)
    #expect(object.trackingID == nil)
    #expect(object.labels.isEmpty)
  }

  @Test("An unknown mode is an error of the first image")
  func unknownMode() throws {
    let options = Options.coarse(ObjectDetectorMode(rawValue: 7))
    let detector = ObjectDetector.objectDetector(options: options)
    let error = #expect(throws: MLKitError.self) { try detector.results(in: Photo.image("cat")) }
    #expect(error?.code == .invalidArgument)
    #expect(error?.message == "The detector mode 7 does not exist")
  }

  @Test("The normalised frame is the frame in pixels, divided by the image's size")
  func frames() throws {
    let photo = try Photo.bundled("cat")
    let detector = ObjectDetector.objectDetector(options: Options.coarse(.singleImage))
    let object = try #require(try detector.results(in: VisionImage(image: photo)).first)
    let (width, height) = (photo.size.width, photo.size.height)
    #expect(abs(object.normalizedFrame.minX * width - object.frame.minX) < 1e-6)
    #expect(abs(object.normalizedFrame.maxY * height - object.frame.maxY) < 1e-6)
    #expect(object.uprightFrame == object.frame)
  }

  @Test("An object is described in one line")
  func description() throws {
    let options = Options.coarse(.stream, classification: true)
    let detector = ObjectDetector.makeIsolated(options: options)
    let object = try #require(try detector.results(in: Photo.image("coffee")).first)
    #expect(object.description.hasPrefix("#0 ("))
    #expect(object.description.contains(" Home good 0."))
    #expect(!object.description.contains("\n"))
  }
}
