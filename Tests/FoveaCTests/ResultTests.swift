// SPDX-License-Identifier: Apache-2.0

import CFovea
import Fovea
import FoveaTesting
import Testing

/// C's functions return exactly what Swift's return, to the last bit.
@Suite struct ResultTests {
  static let photos = [
    "astronaut", "cake", "car", "cat", "citrus", "coffee", "dog", "hopper", "moonwalk", "parrot",
    "photographer", "sunflower",
  ].map { PackageRoot.path + "/Examples/photos/\($0).jpg" }

  static func expect(_ found: [CFindings], _ expected: [DetectionResult]) {
    #expect(found.count == expected.count)
    for (found, expected) in zip(found, expected) {
      #expect(found.failure == nil)
      #expect(found.size == expected.size)
      #expect(found.orientation == Int32(expected.orientation.exifValue))
      #expect(found.objects == expected.objects)
      #expect(found.milliseconds.count == 5 && found.milliseconds[4] > 0)
      #expect(found.milliseconds[..<4].reduce(0, +) <= found.milliseconds[4])
    }
  }

  struct Row: Sendable, CustomTestStringConvertible {
    let testDescription: String
    var model: ModelSource?
    var cModel: CModel?
    var options: [String: String] = [:]
    var change: @Sendable (inout ObjectDetector.Options) -> Void = { _ in }
  }

  static let rows = [
    Row(testDescription: "the defaults"),
    Row(testDescription: "the localizer", model: .embedded(.localizer), cModel: .embedded("localizer")),
    Row(
      testDescription: "a low threshold, few objects", options: ["threshold": "0.05", "max-objects": "7"],
      change: {
        $0.threshold = 0.05
        $0.maxObjects = 7
      }),
    Row(
      testDescription: "tiles and one class",
      options: ["slice": "true", "slice-size": "200", "slice-overlap": "0.3", "allow": "person, dog"],
      change: {
        var slicing = Slicing()
        slicing.tileSize = 200
        slicing.overlap = 0.3
        $0.slicing = slicing
        $0.allowedLabels = ["person", "dog"]
      }),
    Row(
      testDescription: "full decoding, one object",
      options: ["decode": "full", "single": "true", "threads": "1"],
      change: {
        $0.reducedSizeDecoding = false
        $0.singleObject = true
        $0.threads = 1
      }),
  ]

  @Test(arguments: rows)
  func `objects of photos equal Swift's`(_ row: Row) async throws {
    var options = ObjectDetector.Options()
    row.change(&options)
    let detector = try await ObjectDetector(model: row.model, options: options)
    var expected: [DetectionResult] = []
    for photo in Self.photos { expected.append(try await detector.analyze(.file(photo))) }
    let analyzer = try CAnalyzer(row.cModel, row.options)
    Self.expect(try analyzer.find(Self.photos.map(CImage.file)), expected)
  }

  @Test(.enabled(if: SharedData.isPresent, "\(SharedData.missing)"))
  func `rotated photos keep the boxes of the stored image`() async throws {
    let photos = try SharedPhotos.paths("exif/recurser") + SharedPhotos.paths("photos")
    #expect(photos.count > 10)
    let detector = try await ObjectDetector()
    var expected: [DetectionResult] = []
    for photo in photos { expected.append(try await detector.analyze(.file(photo))) }
    #expect(Set(expected.map(\.orientation)).count > 4)
    Self.expect(try CAnalyzer().find(photos.map(CImage.file)), expected)
  }

  @Test func `encoded bytes, a region and another orientation give the results of the file`() async throws {
    let photo = Self.photos[0]
    let bytes = try PackageFile.bytes(photo)
    let region = BoundingBox(x: 100, y: 20, width: 300, height: 250)
    let expected = try await ObjectDetector().analyze(.file(photo).oriented(.right), region: region)
    var images = [CImage.file(photo), .encoded(bytes)]
    for index in images.indices {
      images[index].orientation = 6
      images[index].region = (100, 20, 300, 250)
    }
    #expect(expected.objects.isEmpty == false)
    Self.expect(try CAnalyzer().find(images), [expected, expected])
  }

  @Test func `labels of photos equal Swift's`() async throws {
    let labeler = try await ImageLabeler()
    let found = try CAnalyzer(kind: .labeler).find(Self.photos.map(CImage.file))
    #expect(found.contains { !$0.labels.isEmpty })
    for (photo, found) in zip(Self.photos, found) {
      let expected = try await labeler.analyze(.file(photo))
      #expect(found.labels == expected.labels)
      #expect(found.size == expected.size && found.failure == nil)
    }
  }

  @Test func `a model in memory gives the results of the same file`() async throws {
    let path = PackageRoot.path + "/Tests/Fixtures/models/mediapipe_face.tflite"
    let bytes = try PackageFile.bytes(path)
    var options = ObjectDetector.Options()
    options.threshold = 0.01
    let detector = try await ObjectDetector(model: .file(path), options: options)
    let expected = try await detector.analyze(.file(Self.photos[0]))
    #expect(expected.objects.contains { !$0.keypoints.isEmpty })
    for model in [CModel.file(path), .bytes(bytes, name: "face")] {
      let analyzer = try CAnalyzer(model, ["threshold": "0.01"])
      Self.expect(try analyzer.find([.file(Self.photos[0])]), [expected])
      #expect(fovea_detector_assumption_count(analyzer.pointer) == (try await detector.assumptions().count))
    }
  }

  @Test func `the other values of landmarks equal Swift's`() async throws {
    let folder = PackageRoot.path + "/Tests/Fixtures/models/"
    var options = ObjectDetector.Options()
    options.landmarks = .file(folder + "hand_landmarks.tflite")
    options.landmarkThreshold = 0.25
    let detector = try await ObjectDetector(model: .file(folder + "mediapipe_palm.tflite"), options: options)
    let frame = TestFrame(size: PixelSize(width: 240, height: 160)) { column, row in
      (80..<140).contains(column) && (50..<100).contains(row) ? (255, 0, 0) : (90, 90, 90)
    }
    let image = CImage(kind: 3, bytes: frame.rgb, width: 240, height: 160)
    let expected = try await detector.analyze(.pixels(try frame.buffer(FrameFormat.all[0])))
    #expect(expected.objects.contains { $0.landmarkDetails?.rightHand != nil })
    let analyzer = try CAnalyzer(
      .file(folder + "mediapipe_palm.tflite"),
      ["landmarks": folder + "hand_landmarks.tflite", "landmark-threshold": "0.25"])
    Self.expect(try analyzer.find([image]), [expected])
    // Objects of other models have none of them.
    let plain = try CAnalyzer(.file(folder + "mediapipe_palm.tflite")).find([image])
    #expect(plain[0].objects.allSatisfy { $0.landmarkDetails == nil })
  }

  @Test func `classes and assumptions equal Swift's, with C's option names`() async throws {
    let analyzer = try CAnalyzer()
    let names = try await ObjectDetector().classNames()
    #expect(fovea_detector_class_count(analyzer.pointer) == names.count)
    let found = names.indices.map {
      fovea_detector_class_name(analyzer.pointer, $0).map { String(cString: $0) }
    }
    #expect(found == names)
    #expect(fovea_detector_class_name(analyzer.pointer, names.count) == nil)
    let path = PackageRoot.path + "/Tests/Fixtures/models/logits_unknown.tflite"
    let labeler = try CAnalyzer(.file(path), kind: .labeler)
    let count = fovea_labeler_assumption_count(labeler.pointer)
    #expect(count > 0)
    let texts = (0..<count).compactMap {
      fovea_labeler_assumption(labeler.pointer, $0).map { String(cString: $0) }
    }
    #expect(texts.contains { $0.contains("the option 'activation'") }, "\(texts)")
    #expect(fovea_labeler_class_name(labeler.pointer, 0).map { String(cString: $0) } == "class 0")
  }
}
