// SPDX-License-Identifier: Apache-2.0

import Foundation
import Fovea
import FoveaTesting
import Testing

/// Maps of photos, compared with MediaPipe's masks and with classes computed by hand.
@Suite(.enabled(if: SharedData.isPresent, "needs the shared test data (../shared/data)"))
struct SegmentationGoldenTests {
  struct Runs: Decodable {
    var size: [Int]
    var counts: String

    func lengths() throws -> RunLengths {
      try RunLengths(text: counts, size: PixelSize(width: size[1], height: size[0]))
    }
  }

  static func path(_ photo: String) -> String {
    photo.hasPrefix("Examples/") ? PackageRoot.path + "/" + photo : SharedData.path(photo)
  }

  static func segmenter(_ model: String) async throws -> ImageSegmenter {
    try await ImageSegmenter(model: .file(SharedData.path("tasks/\(model).tflite")))
  }

  struct Selfies: Decodable {
    struct Photo: Decodable {
      var photo: String
      var selfie: Runs?
      var landscape: Runs?

      enum CodingKeys: String, CodingKey {
        case photo, selfie
        case landscape = "selfie_landscape"
      }
    }
    var photos: [Photo]
  }

  @Test func `people are where MediaPipe finds them`() async throws {
    let golden = try JSONDecoder().decode(
      Selfies.self, from: Data(SharedData.bytes("goldens/tasks/mediapipe.json")))
    let square = try await Self.segmenter("selfie_segmentation")
    let landscape = try await Self.segmenter("selfie_segmentation_landscape")
    #expect(square.labels == ["background", "selfie"] && square.assumptions.isEmpty)
    var count = 0
    for photo in golden.photos {
      for (segmenter, runs) in [(square, photo.selfie), (landscape, photo.landscape)] {
        guard let truth = try runs?.lengths() else { continue }
        count += 1
        let map = try await segmenter.segment(.file(Self.path(photo.photo)))
        let mask = try #require(map.mask(of: "selfie"))
        let overlap = try mask.runLengths(in: truth.size).overlap(with: truth)
        // The tolerance of the golden data.
        #expect(overlap >= 0.94, "\(photo.photo): \(overlap)")
        let pixels = map.classes(in: truth.size).count { $0 == 1 }
        // Bitmaps round shares of cells, so that some pixels on the boundary differ.
        #expect(abs(pixels - mask.area) <= mask.area / 1_000)
      }
    }
    #expect(count == 10)
  }

  struct Classes: Decodable {
    struct Photo: Decodable {
      var photo: String
      var deeplab513: [String: Runs]
      var deeplab257: [String: Runs]
    }
    var photos: [Photo]
  }

  /// The classes of cells by rows, from the run lengths of each class.
  static func classes(_ runs: [String: Runs]) throws -> [UInt8] {
    var classes: [UInt8] = []
    for (name, runs) in runs {
      let number = try #require(UInt8(name))
      let lengths = try runs.lengths()
      if classes.isEmpty { classes = [UInt8](repeating: 0, count: lengths.size.area) }
      let (width, height) = (lengths.size.width, lengths.size.height)
      var place = 0
      for (index, count) in lengths.counts.enumerated() {
        if index % 2 == 1 {
          for cell in place..<(place + Int(count)) { classes[cell % height * width + cell / height] = number }
        }
        place += Int(count)
      }
    }
    return classes
  }

  static func agreement(_ map: SegmentationMap, _ classes: [UInt8]) -> Double {
    Double(zip(map.classes, classes).count { $0 == $1 }) / Double(max(classes.count, 1))
  }

  @Test func `DeepLab's classes are those computed by hand`() async throws {
    let golden = try JSONDecoder().decode(
      Classes.self, from: Data(SharedData.bytes("goldens/tasks/deeplab.json")))
    let floats = try await Self.segmenter("deeplabv3_257_metadata")
    let bytes = try await Self.segmenter("deeplabv3_mnv2_dm05_pascal_quant")
    #expect(floats.labels.count == 21 && floats.labels[15] == "person" && bytes.labels.isEmpty)
    #expect(golden.photos.count == 3)
    for photo in golden.photos {
      let path = Self.path(photo.photo)
      let map = try await floats.segment(.file(path))
      let share = Self.agreement(map, try Self.classes(photo.deeplab257))
      #expect(map.classes.count == 257 * 257 && share >= 0.99, "\(photo.photo): \(share)")
      let numbers = try await bytes.segment(.file(path))
      let agreement = Self.agreement(numbers, try Self.classes(photo.deeplab513))
      // The quantised graph amplifies the last bit of the pixels: with Pillow's pixels the classes are equal,
      // but even LiteRT's own kernels differ from XNNPACK's in up to 2.6 % of them.
      #expect(numbers.classes.count == 513 * 513 && agreement >= 0.98, "\(photo.photo): \(agreement)")
      #expect(numbers.confidences.isEmpty)
    }
  }

  @Test func `DeepLab's classes are those of the TFLite Task Library`() async throws {
    let segmenter = try await Self.segmenter("deeplabv3_257_metadata")
    let map = try await segmenter.segment(
      .file(SharedData.path("goldens/tasks/segmentation_input.jpg")))
    // Ten times the class, in grey.
    let golden = TestFrame(
      try EncodedImage(path: SharedData.path("goldens/tasks/segmentation_golden.png")).canvas())
    let expected = stride(from: 0, to: golden.rgb.count, by: 3).map { golden.rgb[$0] / 10 }
    let share = Self.agreement(map, expected)
    #expect(expected.count == map.classes.count && share >= 0.99, "\(share)")
  }
}
