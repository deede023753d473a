// SPDX-License-Identifier: Apache-2.0

import AppleShims
import Foundation
import FoveaTesting
import MLKit
import Testing

/// Labels of whole images.
@Suite(.onOwnThread) struct ImageLabelerTests {
  @Test("The embedded classifier reports labels from 0.5 on, also with an invalid threshold")
  func baseThreshold() throws {
    let options = ImageLabelerOptions()
    #expect(options.confidenceThreshold == nil)
    let labels = try ImageLabeler.imageLabeler(options: options).results(in: Photo.image("coffee"))
    #expect(labels.map(\.text) == ["Home good"])
    #expect(labels.allSatisfy { $0.confidence >= 0.5 })
    options.confidenceThreshold = 2
    let invalid = try ImageLabeler.imageLabeler(options).results(in: Photo.image("coffee"))
    #expect(invalid.map(\.confidence) == labels.map(\.confidence))
    options.confidenceThreshold = 0
    #expect(try ImageLabeler.imageLabeler(options).results(in: Photo.image("coffee")).count > 1)
  }

  /// The effect of a threshold and a count with the sample classifier.
  struct Case: CustomTestStringConvertible {
    let testDescription: String
    var threshold: NSNumber?
    var count: Int?
    let labels: ClosedRange<Int>
  }

  static let cases = [
    Case(testDescription: "unset: the metadata's 0.3", labels: 1...1),
    Case(testDescription: "0.0", threshold: 0, labels: 10...10),
    Case(testDescription: "1.5 counts as unset", threshold: 1.5, labels: 1...1),
    Case(testDescription: "0.0 and 25 labels", threshold: 0, count: 25, labels: 25...25),
    Case(testDescription: "0.0 and 0 labels", threshold: 0, count: 0, labels: 10...10),
    Case(testDescription: "1.0", threshold: 1, labels: 0...0),
  ]

  @Test(
    "Thresholds and counts of a custom model",
    .enabled(if: SharedData.isPresent, Comment(rawValue: SharedData.missing)), arguments: cases)
  func thresholds(_ row: Case) throws {
    let options = CustomImageLabelerOptions(localModel: LocalModel(path: SharedModel.bird))
    options.confidenceThreshold = row.threshold
    if let count = row.count { options.maxResultCount = count }
    let labels = try ImageLabeler.imageLabeler(options: options)
      .results(in: VisionImage(image: Photo.shared("mlkit_bird.jpg")))
    #expect(row.labels.contains(labels.count))
    #expect(labels.map(\.confidence) == labels.map(\.confidence).sorted(by: >))
  }

  @Test(
    "The AutoML sample model names the five flowers of its label file",
    .enabled(if: SharedData.isPresent, Comment(rawValue: SharedData.missing)),
    arguments: [
      ("mlkit_daisy.jpeg", "daisy"), ("mlkit_roses.jpeg", "roses"), ("mlkit_tulips.jpeg", "tulips"),
    ])
  func autoML(_ photo: String, _ flower: String) throws {
    let options = CustomImageLabelerOptions(localModel: LocalModel(path: SharedModel.autoML))
    options.confidenceThreshold = NSNumber(value: 0.5)
    let labels = try ImageLabeler.imageLabeler(options).results(in: VisionImage(image: Photo.shared(photo)))
    #expect(labels.map(\.text) == [flower])
  }

  @Test("A labeler's three kinds of call give the same")
  func ways() async throws {
    let labeler = ImageLabeler.imageLabeler(options: ImageLabelerOptions())
    let image = try Photo.image("coffee")
    let waited = try labeler.results(in: image).map(\.confidence)
    let awaited = try await labeler.process(image).map(\.confidence)
    let called: [Float]? = await withCheckedContinuation { continuation in
      labeler.process(image) { labels, error in
        continuation.resume(returning: error == nil ? labels?.map(\.confidence) : nil)
      }
    }
    #expect(waited == awaited)
    #expect(waited == called)
  }

  @Test(
    "A detector is rejected, with the number of a wrong output",
    .enabled(if: SharedData.isPresent, Comment(rawValue: SharedData.missing)))
  func detector() throws {
    let options = CustomImageLabelerOptions(localModel: LocalModel(path: SharedModel.coco))
    let labeler = ImageLabeler.imageLabeler(options: options)
    let error = #expect(throws: MLKitError.self) { try labeler.results(in: Photo.image("cat")) }
    #expect(error?.modelStatus == 400)
    #expect(error?.code == .modelIncompatible)
  }
}
