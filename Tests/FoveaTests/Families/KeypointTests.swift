// SPDX-License-Identifier: Apache-2.0

import Fovea
import FoveaTesting
import Testing

/// MediaPipe's detectors, from the file to keypoints in stored pixels.
@Suite struct KeypointTests {
  struct Case: Sendable, CustomTestStringConvertible {
    var model: String
    var name: String
    var points: Int
    var testDescription: String { model }
  }

  static let cases = [
    Case(model: "mediapipe_face", name: "face", points: 6),
    Case(model: "mediapipe_face_full", name: "face", points: 6),
    Case(model: "mediapipe_palm", name: "palm", points: 7),
  ]

  /// The tiny models place their keypoints on the diagonal of each block, from the top left of the upright
  /// image.
  @Test(arguments: cases)
  func `keypoints are in stored pixels, at the upright image's positions`(_ test: Case) async throws {
    let detector = try await ObjectDetector(model: KnownAnswerTests.model(test.model))
    #expect(try await detector.classNames() == [test.name])
    for orientation in Orientation.allCases {
      let result = try await detector.analyze(try BlockImage.jpeg(orientation))
      #expect(result.objects.count == 2)
      for block in [BlockImage.red, BlockImage.blue] {
        let objects = result.objects.map { $0.upright(orientation, stored: result.size) }
        let object = try #require(objects.max { $0.box.iou(with: block) < $1.box.iou(with: block) })
        #expect(object.box.iou(with: block) > 0.88, "\(object.box)")
        #expect(object.labels.map(\.text) == [test.name])
        #expect(abs(object.score - 0.95) < 0.01)
        #expect(object.keypoints.count == test.points)
        for (index, point) in object.keypoints.enumerated() {
          let share = Double(index + 1) / Double(test.points + 1)
          #expect(abs(point.x - (block.minX + share * block.width)) < 5, "\(orientation) \(point)")
          #expect(abs(point.y - (block.minY + share * block.height)) < 5, "\(orientation) \(point)")
        }
      }
    }
  }

  @Test func `the default threshold is MediaPipe's, and tiles keep keypoints`() async throws {
    var options = ObjectDetector.Options()
    options.suppression.iouThreshold = 0.99
    // Of the scores 0.95, 0.85, 0.75 and 0.25 for each block the last is below 0.5.
    var objects = try await ObjectDetector(model: KnownAnswerTests.model("mediapipe_face"), options: options)
      .detect(in: BlockImage.png())
    #expect(objects.count == 4)
    #expect(objects.allSatisfy { $0.score > 0.5 && $0.keypoints.count == 6 })
    options = ObjectDetector.Options()
    options.slicing = Slicing()
    objects = try await ObjectDetector(model: KnownAnswerTests.model("mediapipe_face"), options: options)
      .detect(in: BlockImage.png())
    #expect(!objects.isEmpty)
    #expect(objects.allSatisfy { $0.keypoints.count == 6 })
  }

  struct Face: Sendable {
    var box: BoundingBox
    var score: Float
    var keypoints: [Double]
  }

  /// The results of `mediapipe.solutions.face_detection` of MediaPipe 0.10.14 for the photo of two people,
  /// 512 × 355.
  static let faces: [(model: String, faces: [Face])] = [
    (
      "face_detection_short_range",
      [
        Face(
          box: BoundingBox(x: 256.06, y: 70.53, width: 103.2, height: 103.2), score: 0.97411,
          keypoints: [
            281.49, 100.95, 325.3, 100.07, 301.96, 125.95, 304.2, 144.68, 261.91, 107.9, 355.63, 105.32,
          ]),
        Face(
          box: BoundingBox(x: 131.93, y: 104.64, width: 97.25, height: 97.25), score: 0.92955,
          keypoints: [
            160.86, 134.18, 201.34, 129.58, 186.31, 155.56, 188.66, 174.85, 136.26, 145.2, 223.71, 133.63,
          ]),
      ]
    ),
    (
      "face_detection_full_range_sparse",
      [
        Face(
          box: BoundingBox(x: 248.54, y: 62.72, width: 107.09, height: 107.07), score: 0.96202,
          keypoints: [
            281.85, 102.51, 324.1, 98.19, 306.16, 127.3, 307.3, 144.64, 257.66, 112.42, 348.36, 102.98,
          ]),
        Face(
          box: BoundingBox(x: 126.95, y: 96.07, width: 103.68, height: 103.71), score: 0.83851,
          keypoints: [
            157.9, 132.12, 201.85, 124.73, 187.66, 149.44, 189.54, 170.14, 129.77, 150.4, 221.75, 134.67,
          ]),
        Face(
          box: BoundingBox(x: 3.05, y: 114.24, width: 41.52, height: 41.56), score: 0.8346,
          keypoints: [13.1, 129.79, 31.77, 128.16, 19.31, 140.68, 21.1, 147.64, 8.92, 129.56, 50.35, 127.76]),
        Face(
          box: BoundingBox(x: 439.01, y: 129.37, width: 51.63, height: 51.62), score: 0.81866,
          keypoints: [
            454.06, 147.96, 474.56, 144.07, 466.08, 157.11, 467.68, 167.17, 443.6, 155.63, 487.84, 146.71,
          ]),
      ]
    ),
  ]

  @Test(.enabled(if: SharedData.isPresent, "needs the shared test data (../shared/data)"), arguments: faces)
  func `faces of a photo match MediaPipe's`(_ model: String, _ faces: [Face]) async throws {
    var options = ObjectDetector.Options()
    options.reducedSizeDecoding = false
    let detector = try await ObjectDetector(
      model: .file(SharedData.path("wild-models/\(model).tflite")), options: options)
    let objects = try await detector.detect(in: .file(SharedData.path("photos/coral_face.jpg")))
    #expect(objects.count == faces.count)
    for face in faces {
      let object = try #require(objects.max { $0.box.iou(with: face.box) < $1.box.iou(with: face.box) })
      // MediaPipe places the image between pixels of the tensor, a letterbox at whole ones, and OpenCV
      // samples it.
      #expect(object.box.iou(with: face.box) > 0.88)
      #expect(abs(object.score - face.score) < 0.1)
      let points = object.keypoints.flatMap { [$0.x, $0.y] }
      #expect(points.count == 12)
      for (place, truth) in zip(points, face.keypoints) {
        #expect(abs(place - truth) < 0.06 * face.box.width)
      }
    }
  }
}
