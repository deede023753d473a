// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore

/// The part of the output of `fovea model inspect --run --json` that the host reads.
struct InspectionAnswer: Decodable {
  struct Tensor: Decodable { var shape: [Int] }
  struct Labels: Decodable { var count: Int }
  struct Confidences: Decodable {}
  struct Run: Decodable { var milliseconds: Double }

  var family: String?
  var inputs: [Tensor]
  var labels: Labels?
  var confidences: Confidences?
  var run: Run?

  /// - Returns: Nil if the bytes are not such an output.
  static func read(_ bytes: [UInt8]) -> InspectionAnswer? { try? JSONValue.decode(Self.self, from: bytes) }

  var facts: ModelFacts {
    var facts = ModelFacts()
    let isDetector = family != nil && family != "segmentation"
    facts.kind = confidences != nil ? "classifier" : isDetector ? "detector" : "other"
    facts.family = family
    facts.labelCount = labels?.count
    // [1, height, width, channels]
    if let shape = inputs.first?.shape, shape.count == 4, shape[1] > 0, shape[2] > 0 {
      (facts.inputHeight, facts.inputWidth) = (shape[1], shape[2])
    }
    facts.milliseconds = run?.milliseconds
    return facts
  }
}
#endif
