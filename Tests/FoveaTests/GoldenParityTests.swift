// SPDX-License-Identifier: Apache-2.0

import Foundation
import Fovea
import FoveaTesting
import Testing

/// The results of MediaPipe Tasks 1.2.2 for the shared photos, compared with Fovea's.
@Suite(.enabled(if: SharedData.isPresent, "needs the shared test data (../shared/data)"))
struct GoldenParityTests {
  static let names = [
    "coco_ssd_mobilenet_v1_1.0_quant_2018_06_29", "lite-model_aiy_vision_classifier_birds_V1_3", "mlkit_bird",
    "tfls_mobilenet_v2_1.0_224_quant",
  ]

  /// One result of Fovea's, of a detector or of a classifier.
  struct Answer {
    var label: String?
    var index: Int
    var score: Float
  }

  /// The results for each photo, best first; a BMP is read as PNG.
  static func answers(_ golden: MediaPipeGolden, exact: Bool = false) async throws -> [[Answer]] {
    let source = ModelSource.file(SharedData.path(golden.model))
    let isDetector = golden.model.contains("/detect/")
    var options = ImageLabeler.Options()
    options.threshold = 0
    options.maxResults = 1000
    options.exactArithmetic = exact
    var detection = ObjectDetector.Options()
    detection.threshold = 0.01
    detection.exactArithmetic = exact
    let labeler = isDetector ? nil : try await ImageLabeler(model: source, options: options)
    let detector = isDetector ? try await ObjectDetector(model: source, options: detection) : nil
    var result: [[Answer]] = []
    for image in golden.images {
      let input = try EveryModelTests.input("photos/" + image.file)
      if let labeler {
        result.append(
          try await labeler.labels(in: input).map {
            Answer(label: $0.text, index: $0.index, score: $0.confidence)
          })
      } else if let detector {
        result.append(
          try await detector.detect(in: input).map {
            Answer(label: $0.labels.first?.text, index: $0.labels.first?.index ?? -1, score: $0.score)
          })
      }
    }
    return result
  }

  /// Clear results that differ, and the reasons.
  static let different: [String: String] = [
    "tfls_mobilenet_v2_1.0_224_quant tfls_sparrow.png":
      "the image is transparent nearly everywhere: Fovea shows it over white, MediaPipe takes the colours beneath"
  ]

  @Test(arguments: names) func `the first label is MediaPipe's if it is clear`(_ name: String) async throws {
    let golden = try MediaPipeGolden(name)
    let answers = try await Self.answers(golden)
    var clear = 0
    for (image, ours) in zip(golden.images, answers) {
      let expected = image.results["mediapipe"]?["threshold_0.01"] ?? []
      let second = expected.count > 1 ? expected[1].score : 0
      guard let first = expected.first, first.score - second >= 0.1 else { continue }
      clear += 1
      let isSame = first.index.map { $0 == ours.first?.index } ?? (first.label == ours.first?.label)
      let isKnown = Self.different["\(name) \(image.file)"] != nil
      #expect(isSame != isKnown, "\(image.file): \(first) but \(String(describing: ours.first))")
    }
    #expect(clear >= 15)
  }

  /// The difference of scores that differ by more than 0.02: pixels are rounded after each of the two
  /// directions, and these models turn a single step into 0.03.
  static let rounding: [String: Float] = [
    "mlkit_bird coral_bird.bmp": 0.03,
    "lite-model_aiy_vision_classifier_birds_V1_3 coral_bird.bmp": 0.03,
  ]

  /// The allowed difference of scores in the models' own uint8, and in the int8 that is the default.
  static let tolerances: [(exact: Bool, probability: Float, logit: Float)] = [
    (true, 0.02, 0.4), (false, 0.1, 0.6),
  ]

  @Test(arguments: names, tolerances)
  func `scores of lossless photos match those of the same pixels in MediaPipe`(
    _ name: String, _ allowed: (exact: Bool, probability: Float, logit: Float)
  ) async throws {
    let golden = try MediaPipeGolden(name)
    let answers = try await Self.answers(golden, exact: allowed.exact)
    for (image, ours) in zip(golden.images, answers)
    where (image.file.hasSuffix(".bmp") || image.file.hasSuffix(".png")) && image.file != "tfls_sparrow.png" {
      let expected = image.results["pillow"]?["threshold_0.01"] ?? []
      guard let first = expected.first else { continue }
      let mine = ours.first { $0.index == first.index || (first.index == nil && $0.label == first.label) }
      if first.score > 1, expected.count > 1 {
        // Logits, of which Fovea's scores are the softmax: the logarithm of two confidences' ratio is the
        // logits' difference. Each may be off by two of its 256 steps of 0.198.
        let second = ours.first { $0.index == expected[1].index }
        let lead = Float(log(Double(mine?.score ?? 0) / Double(second?.score ?? 1)))
        #expect(
          abs(lead - (first.score - expected[1].score)) <= 2 * allowed.logit,
          "\(image.file) \(expected[0]) \(lead)")
        continue
      }
      // Probabilities: 0.02, five steps.
      let tolerance = max(allowed.probability, Self.rounding["\(name) \(image.file)"] ?? 0)
      #expect(
        abs((mine?.score ?? -1) - first.score) <= tolerance,
        "\(image.file) \(first.score) \(mine?.score ?? -1)")
    }
  }
}
