// SPDX-License-Identifier: Apache-2.0

import Foundation
import FoveaRuntime
import FoveaTesting
import Testing

@testable import Fovea
@testable import FoveaMetadata

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

  /// The tiny model repeats its points in thousandths of a pixel of the crop, with z 0, and half the flag as the
  /// probability of a right hand.
  @Test(arguments: Orientation.allCases)
  func `points in metres have the axes of the stored image`(_ orientation: Orientation) async throws {
    let result = try await Self.detector().analyze(try BlockImage.jpeg(orientation))
    let object = try #require(result.objects.first { $0.keypoints.count == 21 })
    let details = try #require(object.landmarkDetails)
    #expect(details.depths == [Double](repeating: 0, count: 21) && details.presences.isEmpty)
    let right = try #require(details.rightHand)
    #expect((0.25...0.5).contains(right))
    try #require(details.world.count == 21)
    let (first, last) = (details.world[0], details.world[20])
    let metres = (x: Double(last.x - first.x), y: Double(last.y - first.y))
    let pixels = (
      x: object.keypoints[20].x - object.keypoints[0].x, y: object.keypoints[20].y - object.keypoints[0].y
    )
    let lengths = hypot(metres.x, metres.y) * hypot(pixels.x, pixels.y)
    #expect((metres.x * pixels.x + metres.y * pixels.y) / lengths > 0.9999, "\(metres) \(pixels)")
    #expect(details.world.allSatisfy { $0.z == 0 })
  }

  @Test(arguments: [[0, 2], [1]] as [Set<Int>])
  func `a model with fewer outputs returns the same numbers`(_ kept: Set<Int>) throws {
    let whole = try LoadedModel(KnownAnswerTests.model("centernet"))
    let cut = try whole.keeping(outputs: kept, exact: false)
    #expect(try whole.keeping(outputs: [0, 1, 2], exact: false) == whole)
    func numbers(_ loaded: LoadedModel) throws -> [[Float]] {
      let session = try loaded.session(SessionOptions(threads: 1))
      unsafe session.withUnsafeInputBytes(0) { bytes in
        for index in bytes.indices { unsafe bytes[index] = index % 4 == 3 ? 0x3E : UInt8(index % 251) }
      }
      try session.run()
      return try session.outputs.indices.map { index in
        var numbers: [Float] = []
        try session.readNumbers(output: index, into: &numbers)
        return numbers
      }
    }
    let all = try numbers(whole)
    #expect(all.count == 3 && all.allSatisfy { !$0.isEmpty })
    #expect(try numbers(cut) == kept.sorted().map { all[$0] })
  }

  @Test func `a landmark threshold keeps or drops points`() async throws {
    let flags = try await Self.detector { $0.landmarkThreshold = 0 }.detect(in: BlockImage.png())
    let flag = 2 * (flags.compactMap { $0.landmarkDetails?.rightHand }.max() ?? 0)
    #expect(flag > 0.5)
    for (threshold, hasPoints) in [(flag - 0.01, true), (flag + 0.01, false)] where threshold <= 1 {
      let objects = try await Self.detector { $0.landmarkThreshold = threshold }.detect(in: BlockImage.png())
      #expect(objects.contains { !$0.keypoints.isEmpty } == hasPoints, "\(threshold) \(flag)")
    }
  }

  @Test func `a landmark threshold needs a landmark model`() async throws {
    var options = ObjectDetector.Options()
    options.landmarkThreshold = 0.5
    let model = KnownAnswerTests.model("mediapipe_palm")
    let error = await #expect(throws: FoveaError.self) {
      try await ObjectDetector(model: model, options: options)
    }
    #expect(error?.code.rawValue == "option-invalid")
    #expect(
      error?.message == "A landmark threshold can only be used with a landmark model, and"
        + " '\(model.path ?? "")' is used without one")
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

  /// A red block at x, on grey.
  static func red(at x: Int?, size: PixelSize = PixelSize(width: 240, height: 160)) throws -> ImageInput {
    let frame = TestFrame(size: size) { column, row in
      let isRed = x.map { ($0..<($0 + 60)).contains(column) && (50..<100).contains(row) } ?? false
      return isRed ? (255, 0, 0) : (90, 90, 90)
    }
    return .pixels(try frame.buffer(FrameFormat.all[0]))
  }

  @Test func `in a stream an object is found in the crop of its points, until it is gone`() async throws {
    let detector = try await Self.detector()
    var nothing = ObjectDetector.Selection()
    nothing.threshold = 1
    #expect(
      try await detector.analyze(Self.red(at: 80), selecting: nothing, memory: StreamMemory())
        .result.objects.isEmpty)
    let first = try await detector.analyze(Self.red(at: 80), memory: StreamMemory())
    #expect(first.result.objects.count == 1 && first.result.objects.first?.keypoints.count == 21)
    // The detector finds nothing more, and the block moves.
    let second = try await detector.analyze(Self.red(at: 90), selecting: nothing, memory: first.memory)
    let (before, after) = (first.result.objects.first, second.result.objects.first)
    #expect(second.result.objects.count == 1 && after?.score == before?.score)
    #expect(after?.labels == before?.labels && after?.square == nil)
    let moved = (after?.box.midX ?? 0) - (before?.box.midX ?? 0)
    #expect(abs(moved - 10) < 3, "\(moved)")
    // A detection at the same place is the same object.
    let third = try await detector.analyze(Self.red(at: 95), memory: second.memory)
    #expect(third.result.objects.count == 1 && third.result.objects.first?.keypoints.count == 21)
    let gone = try await detector.analyze(Self.red(at: nil), memory: third.memory)
    #expect(gone.result.objects.isEmpty)
    let later = try await detector.analyze(Self.red(at: 95), selecting: nothing, memory: gone.memory)
    #expect(later.result.objects.isEmpty)
    // Another size begins anew.
    let larger = try Self.red(at: 95, size: PixelSize(width: 250, height: 160))
    #expect(
      try await detector.analyze(larger, selecting: nothing, memory: third.memory).result.objects.isEmpty)
  }

  @Test func `the detector rests for half a second while every object is followed`() async throws {
    let detector = try await Self.detector()
    var nothing = ObjectDetector.Selection()
    nothing.threshold = 1
    var one = ObjectDetector.Selection()
    one.maxObjects = 1
    func frame(_ x: Int?, _ seconds: Double, _ memory: StreamMemory, one limit: Bool = false) async throws
      -> FrameFindings
    {
      try await detector.analyze(Self.red(at: x), selecting: limit ? one : nil, memory: memory.at(seconds))
    }
    let first = try await frame(80, 10, StreamMemory())
    #expect(first.result.objects.count == 1)
    // The detector would renew the score of a block at another place.
    var low = first.memory
    low = try await detector.analyze(Self.red(at: 90), selecting: nothing, memory: low.at(10.1)).memory
    #expect(low.lastDetection(false) == 10)
    #expect(try await frame(95, 10.49, low).memory.lastDetection(false) == 10)
    #expect(try await frame(95, 10.5, low).memory.lastDetection(false) == 10.5)
    #expect(try await frame(95, 9.9, low).memory.lastDetection(false) == 9.9)
    #expect(try await frame(95, 11, low, one: true).memory.lastDetection(false) == 10)
    // Lost: the detector looks in the same frame.
    let gone = try await frame(nil, 10.2, low)
    #expect(gone.result.objects.isEmpty && gone.memory.lastDetection(false) == 10.2)
    let again = try await frame(20, 10.3, gone.memory)
    #expect(again.result.objects.count == 1 && again.memory.lastDetection(false) == 10.3)
  }

  @Test(
    arguments: [
      (0, 5, true), (1, 5, true), (2, 5, false), (2, 2, false), (1, 1, false), (0, 0, true),
    ] as [(Int, Int, Bool)])
  func `the detector looks if an object is lost`(_ followed: Int, _ limit: Int, _ looks: Bool) async throws {
    let box = DetectedObject(box: BoundingBox(x: 0, y: 0, width: 1, height: 1), score: 1)
    let image = try ImagePreparation(ObjectDetector.Options()).open(BlockImage.png())
    let memory = StreamMemory([], [box, box], of: image, detected: 1)
    #expect(memory.at(1.2).needsDetector(followed: followed, limit: limit) == looks)
    #expect(memory.needsDetector(followed: followed, limit: limit))
    #expect(memory.at(Double.nan).needsDetector(followed: 2, limit: 5))
  }

  /// A ZIP archive with stored files.
  static func bundle(_ files: [(name: String, model: String)]) throws -> [UInt8] {
    var (bytes, writer) = ([UInt8](), ArchiveWriter())
    for file in files {
      let path = try #require(KnownAnswerTests.model(file.model).path)
      let contents = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
      writer.append(AssociatedFileContents(name: file.name, contents: contents), to: &bytes)
    }
    writer.finish(&bytes)
    return bytes
  }

  @Test func `a task bundle is both models`() async throws {
    let folder = try TemporaryFolder()
    let path = try folder.write(
      "hand_landmarker.task",
      Self.bundle([
        ("hand_landmarks_detector.tflite", "hand_landmarks"), ("hand_detector.tflite", "mediapipe_palm"),
      ]))
    let detector = try await ObjectDetector(model: .file(path))
    let plain = try await Self.detector()
    #expect(detector.keypointSet == .hand)
    #expect(try await detector.detect(in: BlockImage.png()) == plain.detect(in: BlockImage.png()))
    let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
    let inMemory = try await ObjectDetector(model: .memory(ModelBytes(bytes, name: "bundle")))
    #expect(try await inMemory.detect(in: BlockImage.png()) == plain.detect(in: BlockImage.png()))
    let cut = ModelBytes(Array(bytes.prefix(bytes.count / 2)), name: "bundle")
    for model in [.memory(cut), .file(try folder.write("cut.task", Array(bytes.prefix(bytes.count / 2))))]
      as [ModelSource]
    {
      let error = await #expect(throws: FoveaError.self) { try await ObjectDetector(model: model) }
      #expect(error?.code.rawValue == "metadata-damaged-archive")
      #expect(error?.message == "The archive is damaged: its end is missing")
      #expect(error?.remedy.description == "Download or export the model file again")
    }
    let empty = try folder.write("empty.task", Self.bundle([]))
    let error = await #expect(throws: FoveaError.self) { try await ObjectDetector(model: .file(empty)) }
    #expect(error?.message == "'\(empty)' has no detector with a landmark model; it is an empty archive")
  }

  @Test(
    arguments: [
      ([("gesture_embedder.tflite", "embedding")], "its files are gesture_embedder.tflite (an embedder)"),
      (
        [("hand_landmarks_detector.tflite", "hand_landmarks")],
        "its files are hand_landmarks_detector.tflite (a detector of the family 'hand-landmarks')"
      ),
    ] as [([(name: String, model: String)], String)])
  func `another bundle is refused with its files`(
    _ files: [(name: String, model: String)], _ what: String
  ) async throws {
    let folder = try TemporaryFolder()
    let path = try folder.write("other.TASK", Self.bundle(files))
    let error = await #expect(throws: FoveaError.self) { try await ObjectDetector(model: .file(path)) }
    #expect(error?.code.rawValue == "model-unsupported")
    #expect(error?.message == "'\(path)' has no detector with a landmark model; \(what)")
  }

  @Test(
    arguments: [
      ("mediapipe_face", "hand_landmarks", "MediaPipe's palm_detection_lite or palm_detection_full"),
      (
        "mediapipe_palm", "face_landmarks",
        "MediaPipe's face_detection_short_range or face_detection_full_range"
      ),
      ("yolov8", "rtmpose", "a detector of people"),
    ])
  func `a bundle of models that do not belong together has a remedy that helps`(
    _ model: String, _ landmarks: String, _ detector: String
  ) async throws {
    let folder = try TemporaryFolder()
    let path = try folder.write(
      "mixed.task",
      Self.bundle([("a_landmarks_detector.tflite", landmarks), ("a_detector.tflite", model)]))
    let error = await #expect(throws: FoveaError.self) { try await ObjectDetector(model: .file(path)) }
    #expect(error?.code.rawValue == "model-unsupported")
    #expect(error?.message.hasPrefix("'\(path)/a_landmarks_detector.tflite' finds the points of ") == true)
    #expect(
      error?.remedy.description == "Use \(detector) as the detector, and the bundle as Options.landmarks")
    // Nothing else shows a pair that works, or names the detector as the remedy.
    let others: [() async throws -> Void] = [
      { _ = try ModelInspection(of: .file(path)) },
      { _ = try ModelProfile(of: .file(path), options: ObjectDetector.Options()) },
      { _ = try await ImageLabeler(model: .file(path)) },
    ]
    for other in others {
      let second = await #expect(throws: FoveaError.self) { try await other() }
      #expect(second?.code == error?.code)
      #expect(second?.message == error?.message)
      #expect(second?.remedy.description == error?.remedy.description)
    }
  }

  @Test func `a bundle is the landmark model of another detector`() async throws {
    let folder = try TemporaryFolder()
    let path = try folder.write(
      "mixed.task",
      Self.bundle([
        ("a_landmarks_detector.tflite", "hand_landmarks"), ("a_detector.tflite", "mediapipe_face"),
      ]))
    var options = ObjectDetector.Options()
    options.landmarks = .file(path)
    let detector = try await ObjectDetector(model: KnownAnswerTests.model("mediapipe_palm"), options: options)
    #expect(detector.keypointSet == .hand)
  }

  @Test func `a file that is only named like a bundle is refused as what it is`() async throws {
    let folder = try TemporaryFolder()
    let path = try folder.write("other.TASK", [1, 2, 3])
    let error = await #expect(throws: FoveaError.self) { try await ObjectDetector(model: .file(path)) }
    #expect(error?.code.rawValue == "model-invalid")
    #expect(error?.message == "'\(path)' is not a TFLite model: it is neither a model nor a bundle of models")
    #expect(error?.remedy.description == "Download the file again")
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
      model: "mediapipe_face", code: "model-unsupported",
      message:
        "'LANDMARKS' finds the points of a hand in a crop that the detector's keypoints place, but 'MODEL'"
        + " is of the family 'mediapipe-face'",
      remedy: "Use MediaPipe's palm_detection_lite or palm_detection_full as the detector, or remove"
        + " Options.landmarks"),
    Refusal(
      model: "yolov8", code: "model-unsupported",
      message:
        "'LANDMARKS' finds the points of a hand in a crop that the detector's keypoints place, but 'MODEL'"
        + " is of the family 'yolov8'",
      remedy: "Use MediaPipe's palm_detection_lite or palm_detection_full as the detector, or remove"
        + " Options.landmarks"),
    Refusal(
      landmarks: "mediapipe_palm", code: "model-unsupported",
      message: "'LANDMARKS' is not a landmark model that Fovea reads: it is a detector of the family"
        + " 'mediapipe-palm'",
      remedy: "Use MediaPipe's pose_landmark, face_landmark or hand_landmark, or RTMPose for 17 points"),
    Refusal(
      landmarks: "classifier_uint8", code: "model-unsupported",
      message: "'LANDMARKS' is not a landmark model that Fovea reads: it is a classifier",
      remedy: "Use MediaPipe's pose_landmark, face_landmark or hand_landmark, or RTMPose for 17 points"),
    Refusal(
      landmarks: "sound", code: "model-unsupported",
      message: "'LANDMARKS' is not a landmark model that Fovea reads: it takes sound or another series of"
        + " numbers, 'image' float32 [1, 16000], not an image",
      remedy: "Use MediaPipe's pose_landmark, face_landmark or hand_landmark, or RTMPose for 17 points"),
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
    #expect(inspection.family == "hand-landmarks")
    #expect(
      inspection.needs.first?.description.hasSuffix(
        "give it as Options.landmarks of MediaPipe's palm_detection_lite or palm_detection_full to find the crop"
      )
        == true)
  }

  @Test(arguments: Orientation.allCases)
  func `without a detector the whole photo is the crop`(_ orientation: Orientation) async throws {
    let detector = try await ObjectDetector(model: KnownAnswerTests.model("hand_landmarks"))
    #expect(detector.keypointSet == .hand)
    #expect(try await detector.assumptions().count == 1)
    let result = try await detector.analyze(try BlockImage.jpeg(orientation))
    let object = try #require(result.objects.first).upright(orientation, stored: result.size)
    #expect(result.objects.count == 1 && object.keypoints.count == 21)
    #expect(object.labels.map(\.text) == ["hand"] && object.score > 0.88)
    let details = try #require(object.landmarkDetails)
    #expect(details.depths == [Double](repeating: 0, count: 21) && details.presences.isEmpty)
    #expect(details.rightHand.map { abs($0 - object.score / 2) < 1e-3 } == true)
    try #require(details.world.count == 21)
    let span = details.world[20] - details.world[0]
    #expect(span.x > 0 && span.y > 0 && span.z == 0, "\(span)")
    let (first, last) = (object.keypoints[0], object.keypoints[20])
    let block = BlockImage.red
    for (found, expected) in [
      (first.x, block.minX), (first.y, block.minY), (last.x, block.maxX), (last.y, block.maxY),
    ] {
      #expect(abs(found - expected) < 5, "\(first) \(last)")
    }
    #expect(object.box.iou(with: block) > 0.8)
  }

  /// MediaPipe's `hand_landmark_lite` and `_full` name the sides of a hand at the output of handedness.
  @Test(arguments: ["Left\nRight\n", "Left\r\nRight", "hand\n"])
  func `a landmark model's own labels do not hide it`(_ lines: String) async throws {
    let folder = try TemporaryFolder()
    let source = try #require(KnownAnswerTests.model("hand_landmarks").path)
    let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: source)))
    var graph = ModelMetadata.Subgraph()
    graph.inputs = [TensorMetadata(name: "image")]
    graph.outputs = ["points", "presence", "handedness", "world"].map { TensorMetadata(name: $0) }
    graph.outputs[2].files = [AssociatedFile(name: "handedness.txt", kind: .valueLabels)]
    var metadata = ModelMetadata()
    metadata.subgraphs = [graph]
    let own = AssociatedFileContents(name: "handedness.txt", contents: Array(lines.utf8))
    let model = ModelSource.file(
      try folder.write("m.tflite", MetadataWriter.write(metadata, files: [own], to: bytes)))
    #expect(try ModelInspection(of: model).family == "hand-landmarks")
    let detector = try await ObjectDetector(model: model)
    let plain = try await ObjectDetector(model: KnownAnswerTests.model("hand_landmarks"))
    #expect(try await detector.classNames() == ["hand"])
    #expect(try await detector.detect(in: BlockImage.png()) == plain.detect(in: BlockImage.png()))
    // A caller's labels are for classes, of which there is one.
    var options = ObjectDetector.Options()
    options.labelFile = try folder.write("labels.txt", Array("Left\nRight\n".utf8))
    let error = await #expect(throws: FoveaError.self) {
      try await ObjectDetector(model: model, options: options)
    }
    #expect(error?.code.rawValue == "labels-do-not-fit")
    #expect(error?.message.contains("has 1 class, but") == true)
  }

  @Test func `without a detector and without a hand there is no object`() async throws {
    let detector = try await ObjectDetector(model: KnownAnswerTests.model("hand_landmarks"))
    #expect(try await detector.detect(in: Self.red(at: nil)).isEmpty)
    let right = BoundingBox(x: 160, y: 0, width: 160, height: 160)
    #expect(try await detector.detect(in: BlockImage.png(), region: right).isEmpty)
    let left = BoundingBox(x: 0, y: 0, width: 160, height: 160)
    #expect(try await detector.detect(in: BlockImage.png(), region: left).count == 1)
  }

  @Test func `a face with attention has 478 points`() async throws {
    let detector = try await Self.detector("mediapipe_face", landmarks: "face_landmarks")
    #expect(detector.keypointSet == .faceMeshWithIrises)
    let objects = try await detector.detect(in: Self.red(at: 80))
    let points = try #require(objects.first?.keypoints)
    #expect(points.count == 478)
    let details = try #require(objects.first?.landmarkDetails)
    // The tiny model's z is its y.
    try #require(details.depths.count == 478)
    #expect(details.depths.allSatisfy(\.isFinite) && details.depths[477] > details.depths[0])
    #expect(details.presences.isEmpty && details.world.isEmpty && details.rightHand == nil)
    let distances = zip(points, points.dropFirst()).map { hypot($1.x - $0.x, $1.y - $0.y) }
    #expect(distances.allSatisfy { abs($0 - distances[0]) < 0.01 } && distances[0] > 0)
  }

  /// A detector of the blocks with these class names, which RTMPose follows.
  static func people(
    _ names: [String], _ folder: TemporaryFolder, landmarks: String? = "rtmpose"
  ) async throws -> ObjectDetector {
    var options = ObjectDetector.Options()
    options.family = .yolov8
    options.labelFile = try folder.write("names.txt", Array(names.joined(separator: "\n").utf8))
    options.landmarks = landmarks.map { KnownAnswerTests.model($0) }
    return try await ObjectDetector(model: KnownAnswerTests.model("yolov8"), options: options)
  }

  @Test(arguments: Orientation.allCases)
  func `RTMPose finds the points of people in the boxes of any detector`(
    _ orientation: Orientation
  ) async throws {
    let folder = try TemporaryFolder()
    let names = ["person", "dog", "chair"]
    let detector = try await Self.people(names, folder)
    #expect(detector.keypointSet == .body)
    let plain = try await Self.people(names, folder, landmarks: nil)
    let image = try BlockImage.jpeg(orientation)
    let result = try await detector.analyze(image)
    let boxes = try await plain.detect(in: image).map(\.box)
    // The photo is decoded at a higher resolution for the crops.
    #expect(result.objects.count == 2 && boxes.count == 2)
    #expect(zip(result.objects.map(\.box), boxes).allSatisfy { $0.iou(with: $1) > 0.95 })
    let person = try #require(result.objects.first { $0.labels.first?.text == "person" })
      .upright(orientation, stored: result.size)
    let other = try #require(result.objects.first { $0.labels.first?.text == "chair" })
    #expect(other.keypoints.isEmpty && other.keypointScores.isEmpty)
    try #require(person.keypoints.count == 17)
    #expect(person.landmarkDetails == nil)
    #expect(person.keypointScores.count == 17 && person.keypointScores.allSatisfy { $0 > 0.8 })
    let block = BlockImage.red
    for (index, point) in person.keypoints.enumerated() {
      let share = Double(index) / 16
      let (x, y) = (block.minX + share * block.width, block.minY + share * block.height)
      #expect(hypot(point.x - x, point.y - y) < 4, "\(index): \(point)")
    }
  }

  @Test(
    arguments: [
      (["cat", "dog", "chair"], "no class of 'MODEL' is named 'person' or the like"),
      (nil, "the classes of 'MODEL' have no names"),
    ] as [([String]?, String)])
  func `RTMPose needs a detector of people`(_ names: [String]?, _ reason: String) async throws {
    let folder = try TemporaryFolder()
    let error = await #expect(throws: FoveaError.self) {
      if let names { return try await Self.people(names, folder) }
      return try await Self.detector("yolov8", landmarks: "rtmpose") { $0.family = .yolov8 }
    }
    let path = { KnownAnswerTests.model($0).path ?? "" }
    #expect(error?.code.rawValue == "model-unsupported")
    #expect(
      error?.message == "'\(path("rtmpose"))' finds the points of a person in the box of a person that a"
        + " detector finds, but \(reason.replacing("MODEL", with: path("yolov8")))")
    #expect(
      error?.remedy.description
        == "Use a detector of people as the detector, or remove Options.landmarks")
  }

  @Test func `RTMPose without a detector finds the person of the whole photo`() async throws {
    let detector = try await ObjectDetector(model: KnownAnswerTests.model("rtmpose"))
    let objects = try await detector.detect(in: BlockImage.png())
    let object = try #require(objects.first)
    #expect(objects.count == 1 && object.labels.map(\.text) == ["person"])
    #expect(object.keypoints.count == 17 && object.box.iou(with: BlockImage.red) > 0.8)
    #expect(try await detector.detect(in: Self.red(at: nil)).isEmpty)
  }
}
