// SPDX-License-Identifier: Apache-2.0

import Foundation
import FoveaGeometry
import FoveaMetadata
import FoveaRuntime
import FoveaTesting
import Testing

@testable import FoveaDecoding

/// The made-up tensors of `Tests/Fixtures/families/reference.py`, and their values by the published formulas.
enum FamilyReference {
  /// One detection, in fractions of the input.
  struct Answer: Decodable, Sendable {
    var score: Double
    var `class`: Int
    /// Left, top, right, bottom.
    var box: [Double]
    /// x and y of each keypoint.
    var keypoints: [Double]
  }

  static let answers = Result {
    try JSONDecoder().decode(
      [String: [Answer]].self,
      from: Data(
        contentsOf: URL(fileURLWithPath: PackageRoot.path + "/Tests/Fixtures/families/expected.json")))
  }

  /// The same numbers as `numbers` of reference.py.
  static func numbers(seed: UInt32, count: Int, _ low: Float, _ high: Float) -> [Float] {
    var state = seed
    return (0..<count).map { _ in
      state = state &* 1_664_525 &+ 1_013_904_223
      return low + (high - low) * (Float(state >> 8) / 16_777_216)
    }
  }

  /// Softmax of each row, computed in double precision as in the reference.
  static func softmax(_ values: [Float], columns: Int) -> [Float] {
    var result: [Float] = []
    for start in stride(from: 0, to: values.count, by: columns) {
      let row = values[start..<(start + columns)].map(Double.init)
      let most = row.max() ?? 0
      let parts = row.map { exp($0 - most) }
      let sum = parts.reduce(0, +)
      result += parts.map { Float($0 / sum) }
    }
    return result
  }

  /// Expects the first detections to match the reference: scores within 1e-5 and coordinates within 2e-5 of
  /// the input's side (more for boxes larger than it), the precision of single-precision floats.
  static func expect(
    _ found: [Detection], _ name: String, sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let expected = try #require(try answers.get()[name], sourceLocation: sourceLocation)
    #expect(
      !expected.isEmpty && found.count >= expected.count, "\(found.count)", sourceLocation: sourceLocation)
    for (one, other) in zip(found, expected) {
      let places =
        [one.box.minX, one.box.minY, one.box.maxX, one.box.maxY] + one.keypoints.flatMap { [$0.x, $0.y] }
      #expect(abs(Double(one.score) - other.score) < 1e-5, sourceLocation: sourceLocation)
      #expect(one.classIndex == other.class, sourceLocation: sourceLocation)
      #expect(places.count == other.box.count + other.keypoints.count, sourceLocation: sourceLocation)
      for (place, truth) in zip(places, other.box + other.keypoints) {
        #expect(abs(place - truth) < 2e-5 * max(1, abs(truth)), sourceLocation: sourceLocation)
      }
    }
  }

  /// A recognizer for a model of these shapes.
  static func model(
    input: [Int], _ outputs: [[Int]], names: [String] = [], type: ElementType = .float32,
    quantization: Quantization = .none, activation: OutputActivation? = nil
  ) -> DetectorRecognizer {
    let tensors = outputs.enumerated().map { index, shape in
      TensorDescription(
        name: names.indices.contains(index) ? names[index] : "out\(index)", elementType: type, shape: shape,
        quantization: quantization)
    }
    var recognizer = DetectorRecognizer(
      modelName: "m.tflite",
      signature: ModelSignature(
        key: nil, inputs: [TensorDescription(name: "image", elementType: .float32, shape: input)],
        outputs: tensors),
      metadata: nil)
    recognizer.hints.activations = activation.map { ["out0": $0] }
    return recognizer
  }
}
