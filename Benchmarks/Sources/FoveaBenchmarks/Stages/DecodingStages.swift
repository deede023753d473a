// SPDX-License-Identifier: Apache-2.0

import FoveaDecoding
import FoveaGeometry
import FoveaMetadata
import FoveaRuntime

/// Decoding of output tensors, one line per family, and suppression by itself.
enum DecodingStages {
  /// A family with its tensors; `outputs` returns tensors in which that many boxes reach the threshold.
  struct Family: Sendable {
    var family: DetectorFamily
    var note = ""
    var input: [Int]
    var shapes: [[Int]]
    var outputs: @Sendable (Int) -> [[Float]]
  }

  /// Add an element for a new family.
  static let families = [
    Family(
      family: .ssdPostProcess, input: [1, 300, 300, 3], shapes: [[1, 1000, 4], [1, 1000], [1, 1000], [1]],
      outputs: { count in
        [DecodingTensors.corners(1_000), zeros(1_000), scores(1_000, above: count), [Float(count)]]
      }),
    Family(
      family: .anchorSSD, input: [1, 192, 192, 3], shapes: [[1, 738, 4], [1, 738]],
      outputs: { count in [zeros(738 * 4), scores(738, above: count)] }),
    Family(
      family: .anchorSSD, note: " 1917 × 91", input: [1, 300, 300, 3],
      shapes: [[1, 1917, 4], [1, 1917, 91]],
      outputs: { [zeros(1_917 * 4), DecodingTensors.logits(1_917, 91, first: 1, above: $0)] }),
    Family(
      family: .efficientDet, input: [1, 320, 320, 3], shapes: [[1, 19_206, 4], [1, 19_206, 90]],
      outputs: { [zeros(19_206 * 4), DecodingTensors.logits(19_206, 90, above: $0)] }),
    Family(
      family: .yolox, input: [1, 640, 640, 3], shapes: [[1, 8_400, 85]],
      outputs: { [DecodingTensors.cells(8_400, 85, hasObjectness: true, above: $0)] }),
    Family(
      family: .yolov5, input: [1, 640, 640, 3], shapes: [[1, 25_200, 85]],
      outputs: { [DecodingTensors.pixels(25_200, 85, hasObjectness: true, above: $0)] }),
    Family(
      family: .yolov8, input: [1, 640, 640, 3], shapes: [[1, 84, 8_400]],
      outputs: { [transposed(DecodingTensors.pixels(8_400, 84, hasObjectness: false, above: $0), 84)] }),
    Family(
      family: .yolov10, input: [1, 640, 640, 3], shapes: [[1, 300, 6]],
      outputs: { [DecodingTensors.answers(300, above: $0)] }),
  ]

  static func all() throws -> [Benchmark] {
    var list: [Benchmark] = []
    for family in families {
      let name = "\(family.family)\(family.note)"
      var hints = DetectorHints()
      if !family.note.isEmpty {
        hints.scores = .sigmoid
        hints.hasBackground = true
      }
      let decoder = try DetectorRecognizer(
        modelName: name, signature: signature(family), metadata: nil, hints: hints
      ).decoder(family: family.family)
      for count in Benchmark.boxCounts {
        // Created on first use: they take megabytes, and most runs measure only a few stages.
        var outputs: [[Float]] = []
        list.append(
          Benchmark("tensor decode \(name)", boxes: count) {
            if outputs.isEmpty { outputs = family.outputs(count) }
            _ = try decoder.decode(outputs, threshold: 0.5, limit: count)
          })
      }
    }
    for count in Benchmark.boxCounts + [10_000] {
      let boxes = (0..<count).map { index in
        BoundingBox(
          x: Double(index * 7_919 % 1_900), y: Double(index * 104_729 % 1_000), width: 60, height: 60)
      }
      let scores = (0..<count).map { Float($0 * 7_919 % 10_007) / 10_007 }
      let classes = (0..<count).map { $0 % 80 }
      list.append(
        Benchmark("suppression, 80 classes", boxes: count) {
          _ = nonMaximumSuppression(
            boxes: boxes, scores: scores, classes: classes, threshold: 0.5, limit: 300)
        })
    }
    return list
  }

  private static func signature(_ family: Family) -> ModelSignature {
    ModelSignature(
      key: nil, inputs: [TensorDescription(name: "image", elementType: .uint8, shape: family.input)],
      outputs: family.shapes.enumerated().map { index, shape in
        TensorDescription(name: "output\(index)", elementType: .float32, shape: shape)
      })
  }

  private static func zeros(_ count: Int) -> [Float] { Array(repeating: 0, count: count) }

  /// Returns falling scores, of which the first `above` are at least 0.5.
  private static func scores(_ count: Int, above: Int) -> [Float] {
    (0..<count).map { $0 < above ? 0.99 - 0.4 * Float($0) / Float(count) : 0.1 }
  }

  private static func transposed(_ rows: [Float], _ columns: Int) -> [Float] {
    let count = rows.count / columns
    return (0..<rows.count).map { rows[$0 % count * columns + $0 / count] }
  }
}
