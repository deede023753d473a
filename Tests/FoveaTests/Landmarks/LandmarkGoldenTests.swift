// SPDX-License-Identifier: Apache-2.0

import Foundation
import Fovea
import FoveaTesting
import Testing

/// The points that MediaPipe 0.10.21 finds with the same models (`solutions` of pose and face mesh).
@Suite(.enabled(if: SharedData.isPresent, "needs the shared test data (../shared/data)"))
struct LandmarkGoldenTests {
  struct Golden: Decodable, Sendable {
    struct Photo: Decodable, Sendable, CustomTestStringConvertible {
      var photo: String
      /// x, y in pixels and the visibility of 33 points of the body with the highest score.
      var pose: [[Double]]?
      /// x, y in pixels of 468 points of each face.
      var faces: [[[Double]]]?
      var testDescription: String { photo }

      var image: ImageInput {
        .file(photo.hasPrefix("Examples") ? PackageRoot.path + "/" + photo : SharedData.path(photo))
      }
    }
    var photos: [Photo]
  }

  static let photos: [Golden.Photo] = {
    let bytes = (try? SharedData.bytes("goldens/tasks/mediapipe.json")) ?? []
    return (try? JSONDecoder().decode(Golden.self, from: Data(bytes)))?.photos ?? []
  }()

  static func detector(_ model: String, _ landmarks: String) async throws -> ObjectDetector {
    var options = ObjectDetector.Options()
    options.reducedSizeDecoding = false
    options.landmarks = .file(SharedData.path(landmarks))
    return try await ObjectDetector(model: .file(SharedData.path(model)), options: options)
  }

  static func mean(_ points: [PixelPoint], _ truth: [[Double]], _ chosen: [Int]) -> Double {
    let distances = chosen.map { hypot(points[$0].x - truth[$0][0], points[$0].y - truth[$0][1]) }
    return distances.reduce(0, +) / Double(max(distances.count, 1))
  }

  /// Bodies in the shade or partly hidden: noise of 0.4 levels in the pixels of the detector's input moves the
  /// points of MediaPipe's own chain by up to 3.7 % of the crop's side.
  static let uncertain = ["coco/images/000000005001.jpg", "coco/images/000000129648.jpg"]

  @Test(arguments: photos.filter { $0.pose != nil })
  func `the points of a body are near MediaPipe's`(_ photo: Golden.Photo) async throws {
    let truth = try #require(photo.pose)
    var options = ObjectDetector.Options()
    options.reducedSizeDecoding = false
    let circles = try await ObjectDetector(
      model: .file(SharedData.path("tasks/pose_detection.tflite")), options: options
    ).detect(in: photo.image)
    let circle = try #require(circles.first?.keypoints)
    let side = 2.5 * hypot(circle[1].x - circle[0].x, circle[1].y - circle[0].y)
    let detector = try await Self.detector("tasks/pose_detection.tflite", "tasks/pose_landmark_full.tflite")
    #expect(detector.keypointSet == .blazePose)
    let object = try #require(try await detector.detect(in: photo.image).first)
    #expect(object.labels.map(\.text) == ["person"] && object.keypointScores.count == 33)
    try #require(object.keypoints.count == 33)
    let visible = truth.indices.filter { truth[$0][2] >= 0.5 }
    let share = Self.mean(object.keypoints, truth, visible) / side
    #expect(share <= (Self.uncertain.contains(photo.photo) ? 0.04 : 0.015), "\(share)")
    let seen = zip(object.keypoints, object.keypointScores).filter { $0.1 >= 0.5 }.map(\.0)
    #expect(object.box.minX == max(0, seen.map(\.x).min() ?? 0), "the box encloses the visible points")
  }

  @Test(arguments: photos.filter { $0.faces != nil })
  func `the points of a face are near MediaPipe's`(_ photo: Golden.Photo) async throws {
    let detector = try await Self.detector(
      "wild-models/face_detection_short_range.tflite", "tasks/face_landmark.tflite")
    #expect(detector.keypointSet == .faceMesh)
    let objects = try await detector.detect(in: photo.image).filter { $0.keypoints.count == 468 }
    for truth in try #require(photo.faces) {
      let means = objects.map { Self.mean($0.keypoints, truth, Array(truth.indices)) }
      #expect((means.min() ?? .infinity) <= 0.5, "\(means)")
    }
  }

  @Test func `an object that is no body has no points`() async throws {
    let photo = try #require(Self.photos.first { $0.photo == "coco/images/000000319492.jpg" })
    let detector = try await Self.detector("tasks/pose_detection.tflite", "tasks/pose_landmark_full.tflite")
    // MediaPipe looks only at the best detection.
    let best = try #require(try await detector.detect(in: photo.image).first)
    #expect(photo.pose == nil && best.keypoints.isEmpty && best.keypointScores.isEmpty)
  }

  @Test func `a photo decoded at a smaller size gives nearly the same points`() async throws {
    var options = ObjectDetector.Options()
    options.landmarks = .file(SharedData.path("tasks/face_landmark.tflite"))
    let detector = try await ObjectDetector(
      model: .file(SharedData.path("wild-models/face_detection_short_range.tflite")), options: options)
    let photo = try #require(Self.photos.first { $0.faces?.count == 1 })
    let object = try #require(try await detector.detect(in: photo.image).first)
    let truth = try #require(photo.faces?.first)
    #expect(Self.mean(object.keypoints, truth, Array(truth.indices)) <= 0.5)
  }
}
