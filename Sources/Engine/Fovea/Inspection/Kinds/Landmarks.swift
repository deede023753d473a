// SPDX-License-Identifier: Apache-2.0

import FoveaCore
import FoveaDecoding
import FoveaMetadata
import FoveaRuntime

/// Models that output the points of a face, a hand or a body.
enum Landmarks {
  /// The numbers of values that published models output, three or more for each point.
  ///
  /// **Source:** MediaPipe's model cards: Hand Landmark 21 points of 3 numbers; Pose Landmark 39 of 5, and 39
  /// of 3 in the world; Face Landmark 468 or 478 of 3; Iris 71 and 5 of 3. Others, 68, 98 and 106 points of
  /// 2, are matched by name.
  private static let published: [Int: String] = [
    63: "a hand", 195: "a body", 117: "a body", 1404: "a face", 1434: "a face", 213: "an eye",
  ]

  /// Words in tensors' names that indicate such models.
  private static let words = ["landmark", "keypoint", "face_mesh", "output_mesh", "ld_3d"]

  /// Recognises a model of landmarks.
  /// - Parameters:
  ///   - signature: The tensors with their shapes at run time.
  ///   - ends: The last operation of the graph for each output, by name.
  ///   - labelCount: The number of labels of the model; a row with that number of values is not landmarks.
  /// - Returns: The kind; nil for other models.
  static func recognized(
    _ signature: ModelSignature, ends: [String: OutputActivation], labelCount: Int?
  ) -> UnsupportedModel? {
    for output in signature.outputs {
      let count = output.shape.last ?? 0
      let isRow = output.shape.count > 1 && output.shape.dropLast().allSatisfy { $0 == 1 }
      let end = ends[output.name]
      guard end != .softmax else { continue }
      guard isRow, count != labelCount else { continue }
      let name = output.name.lowercased() + " " + output.signatureName.lowercased()
      if words.contains(where: name.contains(part:)), count > 2,
        count.isMultiple(of: 2) || count.isMultiple(of: 3)
      {
        return model("landmarks", output, signature)
      }
      // Another output holds the score of presence, so there are several outputs.
      guard let whose = published[count], end != .sigmoid, signature.outputs.count > 1 else { continue }
      return model("the landmarks of \(whose)", output, signature)
    }
    return nil
  }

  /// Returns whether more than the shapes of its outputs shows that a model is one of landmarks.
  static func isShown(
    _ head: LandmarkHead, _ signature: ModelSignature, ends: [String: OutputActivation]
  ) -> Bool {
    // Two tables of places have shapes that no other model has.
    head.family.firstStage == .people || recognized(signature, ends: ends, labelCount: nil) != nil
  }

  private static func model(
    _ what: String, _ output: TensorDescription, _ signature: ModelSignature
  ) -> UnsupportedModel {
    let family = LandmarkHead(of: signature)?.family
    return UnsupportedModel(
      "it outputs \(what), \(output), for a crop that another model has found",
      remedy: family.map {
        "Give it as \(option: "landmarks"), with \($0.firstStage.description) as the detector"
      } ?? "Use the model that finds the face, the hand or the person: a detector")
  }
}
