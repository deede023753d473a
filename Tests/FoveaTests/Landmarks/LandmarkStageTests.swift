// SPDX-License-Identifier: Apache-2.0

import Fovea
import FoveaTesting
import Testing

/// A landmark model as the second stage of a detector.
@Suite struct LandmarkStageTests {
  static func detector(
    _ model: String = "mediapipe_palm", landmarks: String = "hand_landmarks",
    _ change: (inout ObjectDetector.Options) -> Void = { _ in }
  ) async throws(FoveaError) -> ObjectDetector {
    var options = ObjectDetector.Options()
    options.landmarks = KnownAnswerTests.model(landmarks)
    change(&options)
    return try await ObjectDetector(model: KnownAnswerTests.model(model), options: options)
  }

  /// The tiny model places 21 points on the diagonal of the red block's extent in the crop, which is rotated
  /// so that the diagonal of the palm's box points up.
  static func expected(_ block: BoundingBox) -> [PixelPoint] {
    let angle = atan2(block.height, block.width) + .pi / 2
    let (cosine, sine) = (cos(angle), sin(angle))
    let (w, h) = (block.width, block.height)
    let extent = OrientedBox(
      center: PixelPoint(x: block.midX, y: block.midY),
      width: (w * w * cosine * cosine + h * h * sine * sine).squareRoot(),
      height: (w * w * sine * sine + h * h * cosine * cosine).squareRoot(), angle: angle)
    let (first, last) = (extent.corners[0], extent.corners[2])
    return (0..<21).map { index in
      let share = Double(index) / 20
      return PixelPoint(x: first.x + share * (last.x - first.x), y: first.y + share * (last.y - first.y))
    }
  }

  @Test(arguments: Orientation.allCases)
  func `points lie at their places in stored pixels, for each orientation`(
    _ orientation: Orientation
  ) async throws {
    let detector = try await Self.detector()
    #expect(detector.keypointSet == .hand)
    let result = try await detector.analyze(try BlockImage.jpeg(orientation))
    let objects = result.objects.map { $0.upright(orientation, stored: result.size) }
    let expected = Self.expected(BlockImage.red)
    func distance(_ object: DetectedObject) -> Double {
      guard object.keypoints.count == 21 else { return .infinity }
      return zip(object.keypoints, expected).map { hypot($0.x - $1.x, $0.y - $1.y) }.max() ?? .infinity
    }
    let object = try #require(objects.min { distance($0) < distance($1) })
    #expect(distance(object) < 4, "\(object.keypoints.first as Any) \(expected[0])")
    #expect(object.labels.map(\.text) == ["palm"] && object.keypointScores.isEmpty)
    let points = object.keypoints
    let hull = BoundingBox(
      minX: points.map(\.x).min() ?? 0, minY: points.map(\.y).min() ?? 0, maxX: points.map(\.x).max() ?? 0,
      maxY: points.map(\.y).max() ?? 0)
    #expect(object.box.iou(with: hull.clamped(to: BlockImage.size)) > 0.999)
  }

  @Test func `an object without a hand in its crop has its box, but no points`() async throws {
    let blue = TestFrame(size: PixelSize(width: 200, height: 160)) { x, y in
      (60..<120).contains(x) && (40..<100).contains(y) ? (0, 0, 255) : (90, 90, 90)
    }
    let image = ImageInput.pixels(try blue.buffer(FrameFormat.all[0]))
    let plain = try await ObjectDetector(model: KnownAnswerTests.model("mediapipe_palm"))
      .detect(in: image)
    let objects = try await Self.detector().detect(in: image)
    #expect(objects.count == 1 && plain.count == 1)
    #expect(objects.first?.box == plain.first?.box && objects.first?.keypoints == [])
    #expect(objects.first?.score == plain.first?.score)
  }

  @Test func `tiles and several sessions find the same points`() async throws {
    let plain = try await Self.detector().detect(in: BlockImage.png())
    let detector = try await Self.detector {
      $0.sessions = 2
      $0.slicing = Slicing()
    }
    let objects = try await detector.detect(in: BlockImage.png())
    #expect(!plain.isEmpty && objects.count == plain.count)
    #expect(objects.allSatisfy { $0.keypoints.count == 21 })
    #expect(try await detector.assumptions().isEmpty)
  }

  struct Refusal: Sendable, CustomTestStringConvertible {
    var model = "mediapipe_palm"
    var landmarks = "hand_landmarks"
    var code: String
    var message: String
    var remedy: String
    var testDescription: String { "\(model), \(landmarks)" }
  }

  @Test(arguments: [
    Refusal(
      model: "mediapipe_face", code: "option-invalid",
      message:
        "'LANDMARKS' finds the points of a hand in a crop that the detector's keypoints place, but 'MODEL'"
        + " is of the family 'mediapipe-face'",
      remedy: "Use MediaPipe's palm_detection_lite or palm_detection_full as the detector, or remove"
        + " Options.landmarks"),
    Refusal(
      model: "yolov8", code: "option-invalid",
      message:
        "'LANDMARKS' finds the points of a hand in a crop that the detector's keypoints place, but 'MODEL'"
        + " is of the family 'yolov8'",
      remedy: "Use MediaPipe's palm_detection_lite or palm_detection_full as the detector, or remove"
        + " Options.landmarks"),
    Refusal(
      landmarks: "mediapipe_palm", code: "model-unsupported",
      message: "'LANDMARKS' is not a landmark model that Fovea reads: it is a detector of the family"
        + " 'mediapipe-palm'",
      remedy: "Use MediaPipe's pose_landmark, face_landmark without attention, or hand_landmark"),
    Refusal(
      landmarks: "classifier_uint8", code: "model-unsupported",
      message: "'LANDMARKS' is not a landmark model that Fovea reads: it is a classifier",
      remedy: "Use MediaPipe's pose_landmark, face_landmark without attention, or hand_landmark"),
    Refusal(
      landmarks: "sound", code: "model-unsupported",
      message: "'LANDMARKS' is not a landmark model that Fovea reads: it takes sound or another series of"
        + " numbers, 'image' float32 [1, 16000], not an image",
      remedy: "Use MediaPipe's pose_landmark, face_landmark without attention, or hand_landmark"),
  ])
  func `models that do not belong together are refused`(_ test: Refusal) async throws {
    let error = await #expect(throws: FoveaError.self) {
      try await Self.detector(test.model, landmarks: test.landmarks)
    }
    func named(_ text: String, _ name: String, _ model: String) -> String {
      text.replacing(name, with: KnownAnswerTests.model(model).path ?? "")
    }
    let message = named(named(test.message, "LANDMARKS", test.landmarks), "MODEL", test.model)
    #expect(error?.code.rawValue == test.code)
    #expect(error?.message == message)
    #expect(error?.remedy.description == test.remedy)
  }

  @Test func `an inspected landmark model says how to use it`() throws {
    let inspection = try ModelInspection(of: KnownAnswerTests.model("hand_landmarks"))
    #expect(inspection.family == nil && inspection.reason.hasPrefix("it outputs the landmarks of a hand"))
    #expect(
      inspection.needs.first?.description
        == "Give it as Options.landmarks, with MediaPipe's palm_detection_lite or palm_detection_full as the"
        + " detector")
  }
}
