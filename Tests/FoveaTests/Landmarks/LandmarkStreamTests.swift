// SPDX-License-Identifier: Apache-2.0

import FoveaGeometry
import FoveaTesting
import Testing

@testable import Fovea
@testable import FoveaDecoding

/// A landmark model that follows objects through the frames of a stream.
@Suite struct LandmarkStreamTests {
  /// A red block at x, or none, on grey, in a frame of a width and a time.
  struct Frame: Sendable {
    var x: Int?
    var seconds: Double?
    var width = 240

    init(_ x: Int?, at seconds: Double?, width: Int = 240) {
      (self.x, self.seconds, self.width) = (x, seconds, width)
    }
  }

  static func faces(
    _ change: (inout ObjectDetector.Options) -> Void = { _ in }
  ) async throws(FoveaError) -> ObjectDetector {
    try await LandmarkStageTests.detector("mediapipe_face", landmarks: "face_landmarks", change)
  }

  static func objects(_ detector: ObjectDetector, _ frames: [Frame]) async throws -> [[DetectedObject]] {
    var memory = StreamMemory()
    var objects: [[DetectedObject]] = []
    for frame in frames {
      let image = try LandmarkStageTests.red(at: frame.x, size: PixelSize(width: frame.width, height: 160))
      let found = try await detector.analyze(image, memory: frame.seconds.map { memory.at($0) } ?? memory)
      memory = found.memory
      objects.append(found.result.objects)
    }
    return objects
  }

  @Test func `points are smoothed from frame to frame, and crops are those without`() async throws {
    let frames = [(80, 1), (83, 1.04), (88, 1.08), (88, 1.2), (87, 1.21)].map { Frame($0.0, at: $0.1) }
    let plain = try await Self.objects(try await Self.faces(), frames).compactMap(\.first)
    let smooth = try await Self.objects(try await Self.faces { $0.smoothLandmarks = true }, frames)
      .compactMap(\.first)
    try #require(plain.count == frames.count && smooth.count == frames.count)
    #expect(smooth[0] == plain[0])
    var smoother = LandmarkSmoother()
    for (index, object) in plain.enumerated() {
      var (points, scores, details) = (object.keypoints, object.keypointScores, object.landmarkDetails)
      let passed = index == 0 ? nil : (frames[index].seconds ?? 0) - (frames[index - 1].seconds ?? 0)
      smoother.smooth(
        &points, scores: &scores, details: &details,
        size: LandmarkFamily.faceParts.size(of: points, next: nil), after: passed)
      #expect(smooth[index].keypoints == points && smooth[index].landmarkDetails == details, "\(index)")
      #expect(
        smooth[index].box == BoundingBox.enclosing(points).clamped(to: PixelSize(width: 240, height: 160)))
      #expect(smooth[index].smoother == nil && smooth[index].square == nil)
      #expect((smooth[index].keypoints == object.keypoints) == (index == 0))
    }
  }

  struct Restart: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var frame: Frame
    var between: Frame?
    var isSmooth = false
  }

  @Test(arguments: [
    Restart(testDescription: "the next frame", frame: Frame(86, at: 1.08), isSmooth: true),
    Restart(testDescription: "a frame much later", frame: Frame(86, at: 100), isSmooth: true),
    Restart(testDescription: "the same time", frame: Frame(86, at: 1.04)),
    Restart(testDescription: "less than a microsecond later", frame: Frame(86, at: 1.04 + 1e-9)),
    Restart(testDescription: "an earlier time", frame: Frame(86, at: 0)),
    Restart(testDescription: "no time", frame: Frame(86, at: nil)),
    Restart(testDescription: "a time that is not a number", frame: Frame(86, at: .nan)),
    Restart(testDescription: "an infinite time", frame: Frame(86, at: .infinity)),
    Restart(testDescription: "another size", frame: Frame(86, at: 1.08, width: 244)),
    Restart(testDescription: "after a loss", frame: Frame(86, at: 1.08), between: Frame(nil, at: 1.06)),
  ])
  func `the filters start again if the stream does`(_ test: Restart) async throws {
    let frames = [Frame(80, at: 1), Frame(83, at: 1.04)] + [test.between, test.frame].compactMap(\.self)
    let plain = try await Self.objects(try await Self.faces(), frames).last?.first
    let smooth = try await Self.objects(try await Self.faces { $0.smoothLandmarks = true }, frames).last?
      .first
    let (points, expected) = (try #require(smooth?.keypoints), try #require(plain?.keypoints))
    #expect(points.count == 478 && (points != expected) == test.isSmooth)
  }

  @Test(
    arguments: [
      (nil, nil, nil), (1, 1, nil), (1, nil, nil), (nil, 1, nil), (1, 1.5, 0.5), (1.5, 1, nil),
      (.nan, 1, nil),
      (1, .nan, nil), (1, .infinity, nil), (-.infinity, 1, nil), (-1, 1, 2), (0, 1e-7, nil), (0, 1e-6, 1e-6),
    ] as [(Double?, Double?, Double?)])
  func `the interval of a frame is known if the time advances`(
    _ seen: Double?, _ now: Double?, _ expected: Double?
  ) throws {
    let image = try ImagePreparation(ObjectDetector.Options()).open(BlockImage.png())
    let memory = StreamMemory([], [], of: image, seen: seen, detected: nil)
    #expect((now.map { memory.at($0) } ?? memory).interval == expected)
  }

  @Test(arguments: [(nil, 1), (0, 1), (0.5, 1), (1, 2)] as [(Double?, Int)])
  func `crops that overlap more than the limit show one object`(
    _ limit: Double?, _ count: Int
  ) async throws {
    let detector = try await LandmarkStageTests.detector { $0.landmarkIoU = limit }
    // The detector looks again after half a second.
    let objects = try await Self.objects(detector, [Frame(80, at: 1), Frame(83, at: 1.6)])
    #expect(objects.map(\.count) == [1, count])
    #expect(objects.joined().allSatisfy { $0.keypoints.count == 21 })
  }

  /// A dark red block, which has a lower score than a green and a blue one beside it.
  static func blocks(hasOthers: Bool) throws -> ImageInput {
    let frame = TestFrame(size: PixelSize(width: 240, height: 160)) { column, row in
      if (20..<60).contains(column), (20..<60).contains(row) { return (150, 0, 0) }
      guard hasOthers, (20..<60).contains(row) || (90..<130).contains(row) else { return (90, 90, 90) }
      if (100..<140).contains(column), row < 60 { return (0, 255, 0) }
      return (160..<200).contains(column) && row >= 90 ? (0, 0, 255) : (90, 90, 90)
    }
    return .pixels(try frame.buffer(FrameFormat.all[0]))
  }

  @Test func `newcomers do not replace an object that is followed`() async throws {
    let detector = try await LandmarkStageTests.detector { $0.maxObjects = 2 }
    let alone = try await detector.analyze(Self.blocks(hasOthers: true), memory: StreamMemory()).result
      .objects
    #expect(alone.count == 2 && alone.allSatisfy(\.keypoints.isEmpty))
    let first = try await detector.analyze(Self.blocks(hasOthers: false), memory: StreamMemory().at(1))
    #expect(first.result.objects.map(\.keypoints.count) == [21])
    let second = try await detector.analyze(Self.blocks(hasOthers: true), memory: first.memory.at(2)).result
    #expect(second.objects.map(\.keypoints.count).sorted() == [0, 21])
    #expect(second.objects.first?.score == alone.first?.score)
  }

  @Test func `only objects in the region are followed`() async throws {
    let detector = try await LandmarkStageTests.detector()
    var nothing = ObjectDetector.Selection()
    nothing.threshold = 1
    let first = try await detector.analyze(LandmarkStageTests.red(at: 80), memory: StreamMemory())
    #expect(first.result.objects.count == 1)
    for (x, count) in [(0.0, 1), (70, 1), (160, 0)] {
      let found = try await detector.analyze(
        LandmarkStageTests.red(at: 82), region: BoundingBox(x: x, y: 0, width: 80, height: 160),
        selecting: nothing, memory: first.memory)
      #expect(found.result.objects.count == count, "\(x)")
    }
  }

  @Test func `points at the place of a followed object renew its score`() async throws {
    // The crop of the detection overlaps less than that of its points.
    for (limit, count) in [(0.75, 1), (1, 2)] {
      let detector = try await LandmarkStageTests.detector { $0.landmarkIoU = limit }
      let objects = try await Self.objects(detector, [Frame(80, at: 1), Frame(81, at: 1.6)])
      #expect(objects.map(\.count) == [1, count], "\(limit)")
    }
  }

  struct Refusal: Sendable, CustomTestStringConvertible {
    var landmarks: String?
    var change: @Sendable (inout ObjectDetector.Options) -> Void
    var message: String
    var remedy: String
    var testDescription: String { message }
  }

  private static let alone = "can only be used with a landmark model, and 'MODEL' is used without one"
  private static let unneeded = "Remove that option, or use Options.landmarks"
  private static let unsmoothed =
    "and only those of bodies and faces that MediaPipe's models find can be smoothed"

  @Test(arguments: [
    Refusal(
      change: { $0.landmarkIoU = 0.5 }, message: "An IoU of landmark crops \(alone)", remedy: unneeded),
    Refusal(
      change: { $0.smoothLandmarks = true }, message: "Smoothing of landmarks \(alone)", remedy: unneeded),
    Refusal(
      landmarks: "hand_landmarks", change: { $0.smoothLandmarks = true },
      message: "'LANDMARKS' finds the points of a hand, \(unsmoothed)",
      remedy: "Remove Options.smoothLandmarks"),
    Refusal(
      landmarks: "rtmpose", change: { $0.smoothLandmarks = true },
      message: "'LANDMARKS' finds the points of a person, \(unsmoothed)",
      remedy: "Remove Options.smoothLandmarks"),
    Refusal(
      landmarks: "rtmpose", change: { $0.landmarkIoU = 0.5 },
      message:
        "'LANDMARKS' reads the boxes that the detector finds in each frame, so its crops have no IoU"
        + " with those of the frame before", remedy: "Remove Options.landmarkIoU"),
    Refusal(
      landmarks: "hand_landmarks", change: { ($0.smoothLandmarks, $0.singleObject) = (true, true) },
      message:
        "Landmarks cannot be smoothed if only the most prominent object is reported, because it may be"
        + " another one in each frame", remedy: "Report all objects, or remove Options.smoothLandmarks"),
    Refusal(
      landmarks: "hand_landmarks", change: { $0.landmarkIoU = 1.5 },
      message: "'landmarkIoU' is 1.5; it must be 0…1", remedy: "Give a number from 0 to 1"),
    Refusal(
      landmarks: "hand_landmarks", change: { $0.landmarkIoU = .nan },
      message: "'landmarkIoU' is nan; it must be 0…1", remedy: "Give a number from 0 to 1"),
  ])
  func `settings without an effect are refused`(_ test: Refusal) async {
    var options = ObjectDetector.Options()
    options.landmarks = test.landmarks.map { KnownAnswerTests.model($0) }
    test.change(&options)
    let model = KnownAnswerTests.model("mediapipe_palm")
    let error = await #expect(throws: FoveaError.self) {
      try await ObjectDetector(model: model, options: options)
    }
    #expect(error?.code == .optionInvalid)
    let message = test.message.replacing("MODEL", with: model.path ?? "")
      .replacing("LANDMARKS", with: options.landmarks?.path ?? "")
    #expect(error?.message == message && error?.remedy.description == test.remedy)
  }

  @Test func `a call for the most prominent object cannot be smoothed`() async throws {
    let detector = try await Self.faces { $0.smoothLandmarks = true }
    var single = ObjectDetector.Selection()
    single.singleObject = true
    let error = await #expect(throws: FoveaError.self) {
      try await detector.analyze(LandmarkStageTests.red(at: 80), selecting: single, memory: StreamMemory())
    }
    #expect(error?.message.hasPrefix("Landmarks cannot be smoothed") == true)
  }
}
